import { CONDOR_QUESTIONS, type CondorSurvey, readCondorSurvey } from "@wf/backend-htcondor";
import { readSlurmSurvey, SLURM_PROLOGUE, SLURM_QUESTIONS, type SlurmSurvey } from "@wf/backend-slurm";
import { shellQuote, WfError } from "@wf/protocol";
import { askAtOnce, type Transport } from "@wf/transport";
import { type FoundPython, PYTHON_LINES, parsePythons } from "./found-python.ts";
import { parseStorageFolders, STORAGE_LINES, type StorageFolder } from "./storage-folders.ts";

/** What was found on the machine behind a site. */
export interface MachineSurvey {
  readonly user: string;
  /** The scheduler's commands are on the PATH of logins alone. */
  readonly needsProfile: boolean;
  readonly hasModules: boolean;
  readonly pythons: readonly FoundPython[];
  readonly folders: readonly StorageFolder[];
}

export type ClusterSurvey = MachineSurvey & { readonly slurm: SlurmSurvey };
export type PoolSurvey = MachineSurvey & { readonly htcondor: CondorSurvey };

export const PROFILE = ". /etc/profile";

const SOURCE_PROFILE_IF_NEEDED = `needs_profile=no
if ! command -v sbatch >/dev/null 2>&1 && ! command -v condor_submit >/dev/null 2>&1; then
  if (${PROFILE}; command -v sbatch || command -v condor_submit) >/dev/null 2>&1 </dev/null; then
    ${PROFILE} >/dev/null 2>&1 </dev/null
    needs_profile=yes
  fi
fi`;

/** Runs lines of sh in the user's login shell, or in one that can read them. */
const inLoginShell = (lines: string) => `case "$SHELL" in
*/bash | */zsh | */ksh | */sh) shell=$SHELL ;;
*) shell=/bin/sh ;;
esac
"$shell" -lc ${shellQuote(lines)}`;

const QUESTIONS = {
  user: "id -un",
  needsProfile: 'echo "$needs_profile"',
  schedulers: "for name in sbatch condor_submit qsub bsub; do command -v $name >/dev/null && echo $name; done; true",
  modules: inLoginShell("type module >/dev/null 2>&1 && printf '\\037yes'; true"),
  pythons: PYTHON_LINES,
  folders: inLoginShell(STORAGE_LINES),
  ...SLURM_QUESTIONS,
  ...CONDOR_QUESTIONS,
} as const;

/** Looks at a cluster, with one command. Where there are several schedulers, the first that answers is meant. */
export async function surveySite(transport: Transport, signal: AbortSignal): Promise<ClusterSurvey | PoolSurvey> {
  const answers = await askAtOnce(transport, QUESTIONS, signal, `${SOURCE_PROFILE_IF_NEEDED}\n${SLURM_PROLOGUE}`);
  const machine = {
    user: answers.user.text.trim(),
    needsProfile: answers.needsProfile.text.trim() === "yes",
    hasModules: answers.modules.text.includes("\x1fyes"),
    pythons: parsePythons(answers.pythons.text),
    folders: parseStorageFolders(answers.folders.text),
  };
  const schedulers = answers.schedulers.text.split("\n").filter(Boolean);
  const silent: string[] = [];
  if (schedulers.includes("sbatch")) {
    const slurm = readSlurmSurvey(answers);
    if (!("silence" in slurm)) return { ...machine, slurm };
    silent.push(`SLURM is there, but does not answer: ${slurm.silence}`);
  }
  if (schedulers.includes("condor_submit")) {
    const htcondor = readCondorSurvey(answers);
    if (!("silence" in htcondor)) return { ...machine, htcondor };
    silent.push(`HTCondor is there, but does not answer: ${htcondor.silence}`);
  }
  if (silent.length === 0) throw noScheduler(schedulers, transport.name);
  throw new WfError("WF_SITE_COMMAND", silent.join("; "), {
    where: transport.name,
    hint: "try again later; if it stays so, ask those who run the cluster",
  });
}

const OTHERS: Readonly<Record<string, string>> = { qsub: "PBS or Grid Engine", bsub: "LSF" };

function noScheduler(schedulers: readonly string[], where: string): WfError {
  const [other] = schedulers.map((name) => OTHERS[name] ?? name);
  return other === undefined
    ? new WfError("WF_SITE_SCHEDULER", "there is no scheduler here: neither sbatch nor condor_submit is on the PATH", {
        where,
        hint: "name the login node of a cluster; if this is one, ask its owners where its commands are",
      })
    : new WfError(
        "WF_SITE_SCHEDULER",
        `this is a cluster of ${other}, which wf does not support yet; SLURM and HTCondor it does`,
        { where, hint: "run there with `backend: local` inside of one job, or use a cluster with SLURM or HTCondor" },
      );
}
