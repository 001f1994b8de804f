import { AttemptsElsewhere, openTransport, RunSite, siteStorage, sshWords } from "@wf/run";
import type { Store } from "@wf/store";

/** Runs work with a way to what attempts of a run print on another machine; null where it can be read here. */
export async function withLogsElsewhere<T>(
  store: Store,
  run: string,
  note: (text: string) => void,
  work: (attempts: AttemptsElsewhere | null, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const life = new AbortController();
  const site = RunSite.safeParse((store.run(run).options as { readonly site?: unknown }).site).data;
  if (site === undefined || site.backend === "local" || site.host === undefined) return await work(null, life.signal);
  const transport = openTransport(site, note);
  try {
    const storage = await siteStorage(site.storage, transport, life.signal);
    const attempts = new AttemptsElsewhere({ run, folder: store.folder, transport, storage, ssh: sshWords(site) });
    return await work(attempts, life.signal);
  } finally {
    life.abort();
    await transport.close();
  }
}
