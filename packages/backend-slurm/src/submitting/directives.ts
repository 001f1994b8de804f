import type { SlurmPartition, SlurmSettings } from "@wf/site";
import { formatIndices } from "../parsing/array-indices.ts";
import { wholeMinutes } from "../parsing/slurm-time.ts";
import type { JobRequest } from "./job-request.ts";

export interface JobToDescribe {
  /** Unique: the job can be found by it. */
  readonly name: string;
  readonly request: JobRequest;
  /** How many elements the array has; 1 is a job of its own. */
  readonly elements: number;
  readonly partition: SlurmPartition | null;
  readonly settings: SlurmSettings;
  /** Nodes that have proved to be broken. */
  readonly excludedNodes: readonly string[];
  /** Jobs that have to end well before it starts. */
  readonly after: readonly string[];
}

const MEBIBYTE = 2 ** 20;
/** For staging, hashing and the grace of a task that is ended, which the limits of tasks do not count. */
const OVERHEAD_SECONDS = 120;

/**
 * The options of sbatch for a job, in a fixed order.
 *
 * `--export=ALL` exports what the submitting program has put together and nothing else: it starts sbatch with a clean
 * environment. (`NONE` has every node run the user's login shell before each element: 15 times slower on our test
 * cluster, and so slow that a node was taken out for it.) A job is never started again by SLURM: that is the engine's to
 * decide, with a new attempt.
 */
export function directives(job: JobToDescribe): readonly string[] {
  const { request, partition, settings } = job;
  const account = partition?.account ?? settings.account;
  const qos = partition?.qos ?? settings.qos;
  const constraint = partition?.constraint ?? settings.constraint;
  const minutes = timeLimitMinutes(job);
  const throttle = settings.limits.arrayAtOnce;
  const isArray = job.elements > 1;
  return [
    `--job-name=${job.name}`,
    ...(partition === null ? [] : [`--partition=${partition.name}`]),
    ...(account === undefined ? [] : [`--account=${account}`]),
    ...(qos === undefined ? [] : [`--qos=${qos}`]),
    ...(constraint === undefined ? [] : [`--constraint=${constraint}`]),
    `--nodes=${request.nodes}`,
    `--ntasks-per-node=${request.ranksPerNode}`,
    `--cpus-per-task=${request.cpus}`,
    ...(request.memoryBytes === 0 ? [] : [`--mem=${Math.ceil(request.memoryBytes / MEBIBYTE)}M`]),
    ...(request.gpus === 0 ? [] : [`--gres=${partition?.gres ?? "gpu"}:${request.gpus}`]),
    ...(minutes === null ? [] : [`--time=${minutes}`]),
    ...(settings.exclusive ? ["--exclusive"] : []),
    ...(job.excludedNodes.length === 0 ? [] : [`--exclude=${job.excludedNodes.join(",")}`]),
    ...(job.after.length === 0 ? [] : [`--dependency=afterok:${job.after.join(":")}`]),
    ...(isArray ? [`--array=${arraySpec(job.elements, throttle)}`] : []),
    "--no-requeue",
    "--export=ALL",
    `--output=output/${isArray ? "%a" : "0"}.txt`,
    "--open-mode=append",
    ...settings.directives,
  ];
}

function arraySpec(elements: number, atOnce: number | undefined): string {
  const indices = formatIndices(Array.from({ length: elements }, (_, index) => index));
  return atOnce === undefined ? indices : `${indices}%${atOnce}`;
}

/** Longer than what the tasks may take, but not longer than the partition allows. */
function timeLimitMinutes({ request, partition, settings }: JobToDescribe): number | null {
  const seconds = request.timeSeconds === null ? settings.time : request.timeSeconds + OVERHEAD_SECONDS;
  if (seconds === undefined) return null;
  const most = Math.max(1, Math.floor((partition?.maxTime ?? Number.POSITIVE_INFINITY) / 60));
  return Math.min(wholeMinutes(seconds), most);
}
