import { posix } from "node:path";
import { shellLine, shellQuote } from "@wf/protocol";
import { type HtcondorSettings, setupLines } from "@wf/site";
import { RETURNED } from "./description.ts";

/** What the launcher ends with where the storage cannot be used: see run.py. */
const EXIT_NO_STORAGE = 76;

export interface ScriptPlace {
  /** The folder of the submission. */
  readonly folder: string;
  readonly python: string;
  /** The launcher's folder, on the site. */
  readonly launcher: string;
}

/** HTCondor starts jobs without a PATH and a home. The launcher finds the home by itself. */
function surroundings({ setup }: HtcondorSettings): readonly string[] {
  return [
    'export PATH="$' + '{PATH:-/usr/local/bin:/usr/bin:/bin}"',
    ...(setup.length === 0 ? [] : ['export HOME="$' + '{HOME:-$(eval echo "~$(id -un)")}"']),
    ...setupLines(setup),
  ];
}

/**
 * What a job runs where it sees the storage. It needs sh and python3, and is given its index.
 * Law: a job runs at most once. Who makes its `started` folder first may go on: the launcher, whose first act that is, or
 * who has given the job up.
 */
export function sharedScript(settings: HtcondorSettings, { folder, python, launcher }: ScriptPlace): string {
  return script(settings, [
    `cd ${shellQuote(folder)} || exit ${EXIT_NO_STORAGE}`,
    `exec ${shellLine([python, "-I", "-S", `${launcher}/__main__.py`, "run"])} "jobs/$1.json" "started/$1"`,
  ]);
}

/** What a job runs where it does not see the storage: all that it needs was sent to the folder that it starts in. */
export function sentScript(settings: HtcondorSettings, { python, launcher }: ScriptPlace): string {
  return script(settings, [
    // HTCondor holds a job that does not leave it, and then does not say how the job ended.
    `mkdir -p ${RETURNED}`,
    `exec ${shellLine([python, "-I", "-S", posix.basename(launcher), "away"])} "$1.json" ${RETURNED}`,
  ]);
}

function script(settings: HtcondorSettings, [first, ...lines]: readonly [string, ...string[]]): string {
  return `${[`#!${settings.shell}`, first, ...surroundings(settings), ...lines].join("\n")}\n`;
}
