import { type LeftOutStage, reasonText } from "./left-out.ts";

export interface ReadmeFacts {
  readonly workflow: string;
  readonly dag: string;
  readonly nodes: number;
  readonly tasks: number;
  /** As they will be called below `outputs/`, without their endings. */
  readonly outputs: readonly string[];
  readonly metrics: readonly string[];
  readonly leftOut: readonly LeftOutStage[];
  readonly secrets: readonly string[];
  readonly isPreparing: boolean;
}

/** What to type, for who has HTCondor and has never heard of wf. */
export function readme(facts: ReadmeFacts): string {
  const { workflow, dag, nodes, tasks } = facts;
  const title = `${workflow} as a DAG for HTCondor`;
  return `${[
    title,
    "=".repeat(title.length),
    "",
    `${count(tasks, "task")} in ${count(nodes, "node")}. This folder is all that is needed, beside HTCondor, sh and python3 (3.6 or newer) on`,
    "the machines. It may be moved, before it is first submitted, to any folder that",
    "",
    "  - the machine that submits and all machines that run jobs see under the same path,",
    "  - and the user who submits may write to: content, records and results go there too.",
    "",
    ...secretLines(facts),
    "Start it",
    "--------",
    `  cd THIS-FOLDER && condor_submit_dag ${dag}`,
    "",
    ...(facts.isPreparing
      ? [
          "The nodes called prepare make Python ready with what the tasks require, on the machine that submits: it looks for",
          "one that has everything, and else installs it into runtimes/. Where that machine may run no jobs of the local",
          "universe, change it in stages/prepare.*.sub.",
          "",
        ]
      : []),
    "See how far it is",
    "-----------------",
    "  condor_q -nobatch              what waits and what runs",
    `  tail -f ${dag}.dagman.out    what DAGMan does`,
    "  cat logs/NODE.err              why a node failed",
    `  ls runs/${workflow}/attempts         a folder for each try at a task, with stdout and stderr`,
    `  ls runs/${workflow}/records          what was measured and seen of each of them, as JSON`,
    "",
    "When something fails",
    "--------------------",
    "DAGMan goes on with everything that does not depend on it, and then writes a rescue DAG. report.txt says which tasks",
    `failed, and why. Put it right and type the same line again: condor_submit_dag ${dag} finds the rescue DAG and goes on`,
    "from there. A task that has ended well is never run again, also when the whole DAG is submitted anew with -f.",
    "To begin from nothing, remove runs/ first. A job that HTCondor holds keeps the DAG waiting: condor_q -hold says why,",
    "condor_release goes on.",
    "",
    "Where the results lie",
    "---------------------",
    ...facts.outputs.map((name) => `  outputs/${name}`),
    ...(facts.metrics.length === 0 ? [] : [`  outputs/metrics.json    ${facts.metrics.join(", ")}`]),
    "",
    "They are put there at the end, as copies. If some task failed, those are there that could be made.",
    ...leftOutLines(facts),
  ].join("\n")}\n`;
}

function secretLines({ secrets }: ReadmeFacts): string[] {
  if (secrets.length === 0) return [];
  return [
    "Secrets",
    "-------",
    "Some tasks need secrets, which are in no file of this folder. Whoever submits the DAG gives each in a file of its own,",
    "which nobody else can read:",
    "",
    "  mkdir -m 700 secrets && umask 077",
    ...secrets.map((name) => `  printf %s "$${name}" > secrets/${name}`),
    "",
    "A task that finds none, or one that others can read, fails and says so. Remove them when the DAG has ended.",
    "",
  ];
}

function leftOutLines({ leftOut }: ReadmeFacts): string[] {
  if (leftOut.length === 0) return [];
  return [
    "",
    "What is left out",
    "----------------",
    "This is a part of the workflow. These stages depend on what others come to, and need wf to run:",
    "",
    ...leftOut.map(({ stage, reason }) => `  ${stage}: ${reasonText(reason)}`),
  ];
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}
