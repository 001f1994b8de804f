import { shellLine } from "@wf/protocol";
import { type HtcondorSettings, setupLines } from "@wf/site";

export const LAUNCHER_FILE = "wf-launcher.pyz";

/** What every job of the DAG runs. HTCondor starts jobs without a PATH. */
export function nodeScript({ shell, setup }: Pick<HtcondorSettings, "shell" | "setup">, python: string): string {
  return `${[
    `#!${shell}`,
    "# Jobs of this folder's DAG start here, in this folder: run NODE, prepare KEY, or gather.",
    `PATH="$${"{PATH:-/usr/local/bin:/usr/bin:/bin}"}"`,
    "export PATH",
    ...setupLines(setup),
    `exec ${shellLine([python, "-I", "-S", LAUNCHER_FILE, "dag"])} "$@"`,
  ].join("\n")}\n`;
}
