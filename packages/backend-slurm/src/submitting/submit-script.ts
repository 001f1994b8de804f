import { shellLine, shellQuote } from "@wf/protocol";
import { setupLines } from "@wf/site";
import { EXIT_NO_STORAGE } from "../ending/failure-of-end.ts";
import { directives, type JobToDescribe } from "./directives.ts";

export interface ScriptPlace {
  readonly run: string;
  /** The folder of this submission, in which the script lies. */
  readonly folder: string;
  readonly python: string;
  /** The launcher's folder, on the site. */
  readonly launcher: string;
}

/**
 * The script that SLURM runs, once for each element of the array. It needs sh and python3.
 * Law: an element runs at most once. Who makes its `started` folder first may go on: the launcher, whose first act that
 * is, or who has given the element up.
 */
export function submitScript(job: JobToDescribe, { run, folder, python, launcher }: ScriptPlace): string {
  return `${[
    `#!${job.settings.shell}`,
    ...directives(job).map((directive) => `#SBATCH ${directive}`),
    "",
    `# Made by wf for the run ${oneLine(run)}. Element N runs jobs/N.json, and table.json says which tasks that are.`,
    `cd ${shellQuote(folder)} || exit ${EXIT_NO_STORAGE}`,
    'index="$' + '{SLURM_ARRAY_TASK_ID:-0}"',
    ...setupLines(job.settings.setup),
    `exec ${shellLine([python, "-I", "-S", `${launcher}/__main__.py`, "run"])} "jobs/$index.json" "started/$index"`,
  ].join("\n")}\n`;
}

/** A name in a comment can end the comment only with a newline. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
