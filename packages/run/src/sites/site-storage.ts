import { posix } from "node:path";
import { WfError } from "@wf/protocol";
import type { Transport } from "@wf/transport";

/** The storage of a site as an absolute path there: `~/` is the home on the site. */
export async function siteStorage(storage: string, transport: Transport, signal: AbortSignal): Promise<string> {
  if (!storage.startsWith("~/")) return storage;
  const { stdout } = await transport.run({ argv: ["sh", "-c", 'printf %s "$HOME"'], isRepeatable: true }, signal);
  if (stdout.startsWith("/")) return posix.join(stdout, storage.slice(2));
  throw new WfError("WF_SITE_INVALID", "the site does not say where the home is that ~/ stands for", {
    where: transport.name,
    hint: "write an absolute path in sites.yaml: storage: /scratch/me/wf",
  });
}
