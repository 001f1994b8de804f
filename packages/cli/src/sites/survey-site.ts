import { readSlurmSurvey, SLURM_PROLOGUE, SLURM_QUESTIONS, type SlurmSurvey } from "@wf/backend-slurm";
import { shellQuote, WfError } from "@wf/core";
import { askAtOnce, type Transport } from "@wf/transport";
import { type FoundPython, PYTHON_LINES, parsePythons } from "./found-python.ts";
import { parseStorageFolders, STORAGE_LINES, type StorageFolder } from "./storage-folders.ts";

/** What was found on the machine behind a site. */
export interface SiteSurvey {
  readonly user: string;
  readonly slurm: SlurmSurvey;
  /** SLURM's commands are on the PATH of logins alone. */
  readonly needsProfile: boolean;
  readonly hasModules: boolean;
  readonly pythons: readonly FoundPython[];
  readonly folders: readonly StorageFolder[];
}

export const PROFILE = ". /etc/profile";

const SOURCE_PROFILE_IF_NEEDED = `needs_profile=no
if ! command -v sbatch >/dev/null 2>&1; then
  if (${PROFILE}; command -v sbatch) >/dev/null 2>&1 </dev/null; then
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
} as const;

/** Looks at a cluster, with one command. */
export async function surveySite(transport: Transport, signal: AbortSignal): Promise<SiteSurvey> {
  const answers = await askAtOnce(transport, QUESTIONS, signal, `${SOURCE_PROFILE_IF_NEEDED}\n${SLURM_PROLOGUE}`);
  const schedulers = answers.schedulers.text.split("\n").filter(Boolean);
  if (!schedulers.includes("sbatch")) throw noSlurm(schedulers, transport.name);
  const slurm = readSlurmSurvey(answers);
  if ("silence" in slurm) {
    throw new WfError("WF_SITE_COMMAND", `SLURM is there, but does not answer: ${slurm.silence}`, {
      where: transport.name,
      hint: "try again later; if it stays so, ask those who run the cluster",
    });
  }
  return {
    user: answers.user.text.trim(),
    slurm,
    needsProfile: answers.needsProfile.text.trim() === "yes",
    hasModules: answers.modules.text.includes("\x1fyes"),
    pythons: parsePythons(answers.pythons.text),
    folders: parseStorageFolders(answers.folders.text),
  };
}

const OTHERS: Readonly<Record<string, string>> = { condor_submit: "HTCondor", qsub: "PBS or Grid Engine", bsub: "LSF" };

function noSlurm(schedulers: readonly string[], where: string): WfError {
  const [other] = schedulers.map((name) => OTHERS[name] ?? name);
  return other === undefined
    ? new WfError("WF_SITE_SCHEDULER", "there is no scheduler here: sbatch is not on the PATH", {
        where,
        hint: "name the login node of a cluster; if this is one, ask its owners where sbatch is",
      })
    : new WfError("WF_SITE_SCHEDULER", `this is a cluster of ${other}, which wf does not support yet; SLURM it does`, {
        where,
        hint: "run there with `backend: local` inside of one job, or use a cluster with SLURM",
      });
}
