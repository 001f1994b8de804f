import { SiteLauncher } from "@wf/launcher";
import { WfError } from "@wf/protocol";
import type { NamedSite } from "@wf/site";
import { z } from "zod";
import { openTransport } from "./open-transport.ts";
import { siteStorage } from "./site-storage.ts";

const Verified = z.object({
  objects: z.object({ checked: z.number(), damaged: z.array(z.string()) }),
  /** Damaged ones as RUN/NAME. */
  records: z.object({ checked: z.number(), damaged: z.array(z.string()) }),
});
export type Verified = z.infer<typeof Verified>;

const TIMEOUT_MS = 24 * 60 * 60_000;

/** Reads all content and all records on a site's storage, there. What is damaged goes into quarantine. */
export async function verifySite(site: NamedSite, note: (text: string) => void): Promise<Verified> {
  if (site.storage === undefined) {
    throw new WfError("WF_USAGE", `${site.name} has no storage of its own`, { hint: "wf verify --all" });
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const transport = openTransport(site, note);
  try {
    const storage = await siteStorage(site.storage, transport, signal);
    const launcher = new SiteLauncher({ storage, transport, python: site.python ?? "python3", site: site.name });
    await launcher.deliver(signal);
    const argv: [string, ...string[]] = [...launcher.command, "verify", storage];
    const { code, stdout, stderr } = await transport.run({ argv, isRepeatable: true, timeoutMs: TIMEOUT_MS }, signal);
    if (code === 0) return Verified.parse(JSON.parse(stdout));
    throw new WfError("WF_SITE_COMMAND", `the storage of ${site.name} could not be verified: ${stderr.trim()}`, {
      where: `${transport.name}: ${argv.join(" ")}`,
      hint: `check with: wf doctor --site ${site.name}`,
    });
  } finally {
    await transport.close();
  }
}
