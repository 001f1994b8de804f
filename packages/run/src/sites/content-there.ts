import { type ObjectStore, SiteContent } from "@wf/data";
import type { NamedSite } from "@wf/site";
import { openTransport } from "./open-transport.ts";
import { siteStorage } from "./site-storage.ts";

/** What lies on a site now; null where its storage is the store's own folder. */
export async function contentThere(
  site: NamedSite,
  objects: ObjectStore,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<SiteContent | null> {
  if (site.storage === undefined) return null;
  const transport = openTransport(site, note);
  try {
    const storage = await siteStorage(site.storage, transport, signal);
    const content = new SiteContent({ objects, transport, storage });
    await content.look(signal);
    return content;
  } finally {
    await transport.close();
  }
}
