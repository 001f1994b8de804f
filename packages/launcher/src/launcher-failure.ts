import { WfError } from "@wf/protocol";
import type { RunResult } from "@wf/transport";

/** The launcher's own (login/command.py). */
const EXIT_DISK_FULL = 77;

export interface FailedLauncher {
  /** What failed, without the reason. */
  readonly what: string;
  readonly place: string;
  readonly argv: readonly string[];
  /** What sites.yaml calls the site; undefined where nobody knows. */
  readonly site: string | undefined;
}

/** Why the launcher failed on a site. A full storage is told apart: what is full, and by how much. */
export function launcherFailure({ code, stderr }: RunResult, { what, place, argv, site }: FailedLauncher): WfError {
  const option = `--site ${site ?? "NAME"}`;
  const said = stderr.trim().split("\n");
  if (code === EXIT_DISK_FULL) {
    return new WfError("WF_DISK_FULL", `The storage of the site is full: ${said.at(-1)}`, {
      where: place,
      hint: `make room there, or remove what no run needs with: wf gc ${option}; then go on with: wf resume`,
    });
  }
  return new WfError("WF_SITE_COMMAND", `${what}: ${said.slice(-3).join("\n") || `status ${code}`}`, {
    where: `${place}: ${argv.join(" ")}`,
    hint: `check with: wf doctor ${option}`,
  });
}
