import { z } from "zod";

/** What was printed by one of several questions. */
interface Answer {
  readonly code: number;
  readonly text: string;
}

/** A machine, or a fixed part of one, that runs jobs. */
export interface PoolMachine {
  readonly machine: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly gpus: number;
  /** Machines of one domain share their files. */
  readonly fileSystemDomain: string | null;
}

/** What a pool says about itself, and about what its users may do there. */
export interface CondorSurvey {
  readonly version: string;
  readonly slots: readonly PoolMachine[];
  /** That of the submit host. */
  readonly fileSystemDomain: string | null;
  /** Jobs of one user in the queue. Infinite where there is no limit. */
  readonly maxJobs: number;
  readonly maxJobsPerSubmission: number;
}

const LIMITS = ["FILESYSTEM_DOMAIN", "MAX_JOBS_PER_OWNER", "MAX_JOBS_SUBMITTED", "MAX_JOBS_PER_SUBMISSION"] as const;
const SLOT_ATTRIBUTES = ["Machine", "TotalSlotCpus", "TotalSlotMemory", "TotalSlotGPUs", "FileSystemDomain"] as const;
const MEBIBYTE = 2 ** 20;

/** In sh, to be asked on the submit host. Dynamic slots are parts of those that are listed. */
export const CONDOR_QUESTIONS = {
  condorVersion: "condor_version",
  condorQueue: "condor_q -limit 1",
  condorSlots: `condor_status -json -constraint 'SlotType =!= "Dynamic"' -attributes ${SLOT_ATTRIBUTES.join(",")}`,
  condorLimits: `for name in ${LIMITS.join(" ")}; do
  printf '%s=%s\\n' "$name" "$(condor_config_val "$name" 2>/dev/null)"
done`,
} as const;

export type CondorAnswers = Readonly<Record<keyof typeof CONDOR_QUESTIONS, Answer>>;

const number = z.number().catch(0).default(0);
const Slots = z.array(
  z.object({
    Machine: z.string(),
    TotalSlotCpus: number,
    TotalSlotMemory: number,
    TotalSlotGPUs: number,
    FileSystemDomain: z.string().nullable().catch(null).default(null),
  } satisfies Record<(typeof SLOT_ATTRIBUTES)[number], z.ZodType>),
);

/** What was found; where HTCondor does not answer, its words. */
export function readCondorSurvey(answers: CondorAnswers): CondorSurvey | { readonly silence: string } {
  const { condorVersion, condorQueue, condorSlots, condorLimits } = answers;
  const silent = [condorVersion, condorQueue, condorSlots].find(({ code }) => code !== 0);
  if (silent) return { silence: firstWords(silent.text) };
  const slots = readSlots(condorSlots.text);
  if (slots === null) return { silence: `condor_status says: ${firstWords(condorSlots.text)}` };
  const settings = new Map([...condorLimits.text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
  const limit = (name: (typeof LIMITS)[number]) => {
    const said = settings.get(name) ?? "";
    return /^\d+$/.test(said) && Number(said) < 2 ** 31 - 1 ? Number(said) : Number.POSITIVE_INFINITY;
  };
  return {
    version: /\$CondorVersion: (\S+)/.exec(condorVersion.text)?.[1] ?? "of an unknown version",
    slots,
    fileSystemDomain: settings.get("FILESYSTEM_DOMAIN") || null,
    maxJobs: Math.min(limit("MAX_JOBS_PER_OWNER"), limit("MAX_JOBS_SUBMITTED")),
    maxJobsPerSubmission: limit("MAX_JOBS_PER_SUBMISSION"),
  };
}

function firstWords(text: string): string {
  return (
    text
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? "it says nothing"
  );
}

/** No machine at all may be no text at all. */
function readSlots(text: string): readonly PoolMachine[] | null {
  if (text.trim() === "") return [];
  try {
    return Slots.parse(JSON.parse(text)).map((slot) => ({
      machine: slot.Machine,
      cpus: slot.TotalSlotCpus,
      memoryBytes: slot.TotalSlotMemory * MEBIBYTE,
      gpus: slot.TotalSlotGPUs,
      fileSystemDomain: slot.FileSystemDomain,
    }));
  } catch {
    return null;
  }
}
