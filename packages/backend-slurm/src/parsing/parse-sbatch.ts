/** Why SLURM did not take a job. `limits` are those of an account or a QOS, and may pass as other jobs end. */
export type Refusal =
  | "partition"
  | "partition-unavailable"
  | "account"
  | "qos"
  | "memory"
  | "cpus"
  | "gres"
  | "constraint"
  | "nodes"
  | "node-configuration"
  | "time-limit"
  | "array"
  | "dependency"
  | "license"
  | "option"
  | "script"
  | "other";

export type SubmitAnswer =
  | { readonly type: "accepted"; readonly id: string }
  /** It will be refused again, as long as it asks for the same. */
  | { readonly type: "refused"; readonly why: Refusal; readonly words: string }
  /** There is no job, but the same request may be taken later. */
  | { readonly type: "postponed"; readonly words: string }
  /** There may be a job: it must be looked up by its name before it is submitted again. */
  | { readonly type: "ambiguous"; readonly words: string };

const AMBIGUOUS =
  /Socket timed out|Zero Bytes were transmitted|Unexpected message received|Communication connection failure|Connection (reset|refused|timed out)|Header lengths are longer|Transport endpoint|Broken pipe/i;
const POSTPONED =
  /Unable to contact slurm controller|temporarily unable to accept job|not accepting requests|in standby mode|MaxSubmitJob|GrpSubmitJob|Munge encode failed|authentication error|Unable to process configuration|database connection/i;

/** The first that fits is meant, so what is special stands before what is general. */
const REFUSALS: readonly (readonly [words: RegExp, why: Refusal])[] = [
  [/Required partition not available|Partition .*(inactive|drain)/i, "partition-unavailable"],
  [/Invalid partition name|invalid partition specified|No partition specified/i, "partition"],
  [/Invalid account/i, "account"],
  [/Invalid qos|QOS.* not permitted/i, "qos"],
  [/Memory (specification|required)|Invalid --mem|memory limit/i, "memory"],
  [/CPU count per node|More processors requested|CPU count specification/i, "cpus"],
  [/generic resource|\(gres\)/i, "gres"],
  [/Invalid feature|constraint/i, "constraint"],
  [/Invalid node name|Node count specification|node list/i, "nodes"],
  [/time limit|Invalid --time/i, "time-limit"],
  [/job array/i, "array"],
  [/dependency/i, "dependency"],
  [/license/i, "license"],
  [/node configuration is not available/i, "node-configuration"],
  [/unrecognized option|unrecognised|Invalid --|invalid option|Invalid .* specification/i, "option"],
  [/batch script|Unable to open file|DOS line breaks/i, "script"],
];

/** What `sbatch --parsable` means: its id may have the name of a cluster behind it (`84;lab`). */
export function parseSbatch(result: {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): SubmitAnswer {
  const id = /^(\d+)(;\S+)?$/m.exec(result.stdout.trim())?.[1];
  if (result.code === 0 && id !== undefined) return { type: "accepted", id };
  const words = sayings(result.stderr);
  if (result.code === 0 || result.code === null || AMBIGUOUS.test(words)) return { type: "ambiguous", words };
  if (POSTPONED.test(words)) return { type: "postponed", words };
  return { type: "refused", why: REFUSALS.find(([pattern]) => pattern.test(words))?.[1] ?? "other", words };
}

/** The scheduler's own words, without the name of the program before each line. */
function sayings(stderr: string): string {
  return stderr
    .split("\n")
    .map((line) => line.replace(/^sbatch: (error: |fatal: )?/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("Try "))
    .join("; ");
}
