import { WfError } from "@wf/protocol";
import type { Transport } from "@wf/transport";

/** Set-group-ID: what is made below belongs to the group of the folder, and transports and launchers share it as well. */
const MAKE_SHARED = `dir=$1
[ -d "$dir" ] || { (umask 022; mkdir -p -- "$(dirname "$dir")") && mkdir -m 2770 -- "$dir"; } || [ -d "$dir" ]`;

/** Makes the storage of a site for the group that it will belong to. One that is there keeps its mode: see `wf doctor`. */
export async function makeSharedStorage(storage: string, transport: Transport, signal: AbortSignal): Promise<void> {
  const argv = ["/bin/sh", "-c", MAKE_SHARED, "sh", storage] as const;
  const { code, stderr } = await transport.run({ argv, isRepeatable: true }, signal);
  if (code === 0) return;
  throw new WfError("WF_SITE_FILE", `The storage cannot be made: ${stderr.trim()}`, {
    where: `${transport.name}: ${storage}`,
    hint: "name a folder of yours, or of your group, in sites.yaml: storage: /scratch/lab/wf",
  });
}
