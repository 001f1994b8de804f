import { type ObjectStore, SiteContent } from "@wf/data";
import type { NamedSite } from "@wf/site";
import type { Ask } from "@wf/transport";
import { openTransport } from "./open-transport.ts";
import { siteStorage } from "./site-storage.ts";

/** What lies on a site now; null where its storage is the store's own folder. */
export async function contentThere(
  site: NamedSite,
  objects: ObjectStore,
  { note, ask }: { readonly note: (text: string) => void; readonly ask: Ask },
  signal: AbortSignal,
): Promise<SiteContent | null> {
  if (site.storage === undefined) return null;
  const transport = openTransport(site, note, undefined, ask);
  try {
    const storage = await siteStorage(site.storage, transport, signal);
    const content = new SiteContent({ objects, transport, storage });
    await content.look(signal);
    return content;
  } finally {
    await transport.close();
  }
}
