import type { HtcondorSettings } from "@wf/site";

export interface DescriptionToWrite {
  /** What its jobs do, for who reads the file. */
  readonly does: string;
  /** `vanilla`: on a machine of the pool. `local`: on the machine that submits. */
  readonly universe: "vanilla" | "local";
  /** Words for the script; `$(node)` is the node's name. */
  readonly words: readonly string[];
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly settings: HtcondorSettings;
}

const MEBIBYTE = 1 << 20;

/**
 * The jobs of one stage. Paths are relative to the folder in which the DAG is submitted, which all machines see: so the
 * folder may lie anywhere. HTCondor starts an evicted job again by itself, and the launcher makes a new attempt of it.
 */
export function submitDescription(job: DescriptionToWrite): string {
  const { settings, universe } = job;
  const isOnPool = universe === "vanilla";
  return `${[
    `# ${job.does}`,
    `universe = ${universe}`,
    "executable = node.sh",
    "transfer_executable = False",
    `arguments = ${job.words.join(" ")}`,
    "output = logs/$(node).out",
    "error = logs/$(node).err",
    ...(isOnPool ? ["should_transfer_files = NO", ...requests(job)] : []),
    ...(isOnPool && settings.requirements !== undefined ? [`requirements = ${settings.requirements}`] : []),
    ...(isOnPool && settings.rank !== undefined ? [`rank = ${settings.rank}`] : []),
    ...(settings.accountingGroup === undefined ? [] : [`accounting_group = ${settings.accountingGroup}`]),
    ...(settings.accountingGroupUser === undefined ? [] : [`accounting_group_user = ${settings.accountingGroupUser}`]),
    ...settings.description,
    "queue",
  ].join("\n")}\n`;
}

function requests({ cpus, memoryBytes, gpus }: DescriptionToWrite): string[] {
  return [
    `request_cpus = ${Math.ceil(cpus)}`,
    ...(memoryBytes > 0 ? [`request_memory = ${Math.ceil(memoryBytes / MEBIBYTE)}`] : []),
    ...(gpus > 0 ? [`request_gpus = ${gpus}`] : []),
  ];
}
