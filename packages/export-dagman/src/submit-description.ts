import type { HtcondorSettings } from "@wf/site";

export interface DescriptionToWrite {
  /** What its jobs do, for who reads the file. */
  readonly does: string;
  /** `vanilla`: on a machine of the pool. `local`: on the machine that submits. */
  readonly universe: "vanilla" | "local";
  /** The node's name; `$(node)` where the DAG gives it. */
  readonly node: string;
  /** For the script. */
  readonly words: readonly string[];
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Room that its jobs want below the machine's own folder for jobs. */
  readonly diskBytes: number;
  readonly gpus: number;
  /** The longest grace of its tasks. */
  readonly graceSeconds: number;
  readonly settings: HtcondorSettings;
}

const KIBIBYTE = 1 << 10;
const MEBIBYTE = 1 << 20;
/** Beyond the grace of the tasks: for outputs to be collected, and records to be written. */
const LEAVING_SECONDS = 10;
/** A machine that has just worked for the DAG begins its next job without being given out anew. */
const KEEP_CLAIM_SECONDS = 3;

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
    `output = logs/${job.node}.out`,
    `error = logs/${job.node}.err`,
    ...(isOnPool ? ["should_transfer_files = NO", ...requests(job)] : []),
    ...(isOnPool && settings.requirements !== undefined ? [`requirements = ${settings.requirements}`] : []),
    ...(isOnPool && settings.rank !== undefined ? [`rank = ${settings.rank}`] : []),
    ...(settings.accountingGroup === undefined ? [] : [`accounting_group = ${settings.accountingGroup}`]),
    ...(settings.accountingGroupUser === undefined ? [] : [`accounting_group_user = ${settings.accountingGroupUser}`]),
    "kill_sig = SIGTERM",
    "remove_kill_sig = SIGINT",
    ...(isOnPool ? leaving(job) : []),
    "notification = never",
    ...settings.description,
    "queue",
  ].join("\n")}\n`;
}

function leaving({ graceSeconds }: DescriptionToWrite): string[] {
  return [
    `job_max_vacate_time = ${Math.ceil(graceSeconds) + LEAVING_SECONDS}`,
    `keep_claim_idle = ${KEEP_CLAIM_SECONDS}`,
  ];
}

function requests({ cpus, memoryBytes, diskBytes, gpus }: DescriptionToWrite): string[] {
  return [
    `request_cpus = ${Math.ceil(cpus)}`,
    ...(memoryBytes > 0 ? [`request_memory = ${Math.ceil(memoryBytes / MEBIBYTE)}`] : []),
    ...(diskBytes > 0 ? [`request_disk = ${Math.ceil(diskBytes / KIBIBYTE)}`] : []),
    ...(gpus > 0 ? [`request_gpus = ${gpus}`] : []),
  ];
}
