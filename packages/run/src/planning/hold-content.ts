import type { Store } from "@wf/store";

/** Law: who builds on content of the store holds it from before the first look, so that `wf gc` cannot take it away. */
export async function holdContent(store: Store, note: (text: string) => void): Promise<void> {
  await store.holdContent(() => note("waiting for wf gc, which is removing what no run needs"));
}
