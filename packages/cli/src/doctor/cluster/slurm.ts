import { readSlurmSurvey, SLURM_PROLOGUE, SLURM_QUESTIONS, type SlurmSurvey } from "@wf/backend-slurm";
import { WfError } from "@wf/protocol";
import { type Answer, askAtOnce } from "@wf/transport";
import { PROFILE } from "../../sites/survey-site.ts";
import { type Check, fail, ok, warn } from "../diagnosis.ts";
import { type SchedulerChecks, type SlurmPlace, settingOf } from "./cluster-place.ts";
import { checkJob } from "./job.ts";
import { checkPartitions } from "./partitions.ts";
import { checkSetup } from "./setup.ts";

const QUESTIONS = {
  missing: "for name in sbatch squeue scancel scontrol; do command -v $name >/dev/null || echo $name; done",
  missingInLogin: `${PROFILE} >/dev/null 2>&1; command -v sbatch`,
  queue: 'squeue -h -u "$(id -un)" -o %i',
  accounting: "sacct -nX -S now -o jobid",
  ...SLURM_QUESTIONS,
} as const;

/** What SLURM says of itself, asked once for all checks. */
interface SlurmAsked {
  readonly survey: SlurmSurvey;
  readonly accounting: Answer;
}

export function slurmChecks(place: SlurmPlace): SchedulerChecks {
  const asked = askSlurm(place);
  return {
    answers: checkSlurm(asked),
    more: asked.then(
      (answers) => [
        checkAccounting(answers),
        ...checkPartitions(place, answers.survey),
        checkLimits(place, answers.survey),
      ],
      () => [],
    ),
    setup: (launcher) => checkSetup(place, "slurm", place.slurm, launcher),
    job: () => checkJob(place, { backend: "slurm", slurm: place.slurm }),
  };
}

async function askSlurm(place: SlurmPlace): Promise<SlurmAsked> {
  const { transport, signal } = place;
  const answers = await askAtOnce(transport, QUESTIONS, signal, SLURM_PROLOGUE);
  const missing = answers.missing.text.split("\n").filter(Boolean);
  if (missing.length > 0) {
    const isInLogin = answers.missingInLogin.code === 0;
    throw new WfError("WF_SITE_SCHEDULER", `not on the PATH there: ${missing.join(", ")}`, {
      hint: isInLogin
        ? `logins have them: set ${settingOf(place, "prelude")} to "${PROFILE}"`
        : "is it a login node? Ask those who run the cluster where SLURM's commands are",
    });
  }
  const survey = readSlurmSurvey(answers);
  const silence =
    "silence" in survey ? survey.silence : answers.queue.code === 0 ? undefined : answers.queue.text.trim();
  if (silence !== undefined || "silence" in survey) {
    throw new WfError("WF_SITE_COMMAND", `SLURM does not answer: ${silence}`, {
      hint: "its controller may be down: try again later; jobs that run are not touched by it",
    });
  }
  return { survey, accounting: answers.accounting };
}

function checkSlurm(asked: Promise<SlurmAsked>): Check {
  return {
    name: "slurm",
    async examine() {
      const { config, nodes } = (await asked).survey;
      const up = nodes.filter(({ isUsable }) => isUsable).length;
      const says = `${config.version}, ${config.clusterName ?? "a cluster"}, ${up} of ${nodes.length} nodes are up`;
      return up > 0 ? ok(says) : warn(says, "jobs will wait until nodes come back");
    },
  };
}

/** The second means to learn how a job ended, for those that left no record. */
function checkAccounting({ accounting }: SlurmAsked): Check {
  return {
    name: "sacct",
    examine() {
      if (accounting.code === 0) return ok("answers");
      return warn(
        `does not answer: ${accounting.text.trim().split("\n")[0]}`,
        "runs work without it; but why a job died that left no record is then known only as long as squeue remembers it",
      );
    },
  };
}

/** What sites.yaml says beside what the cluster allows. */
function checkLimits(place: SlurmPlace, { config, associations, defaultAccount }: SlurmSurvey): Check {
  return {
    name: "limits",
    examine() {
      const { arraySize, jobs } = place.slurm.limits;
      const most = config.maxArraySize - 1;
      if (arraySize > Math.max(1, most)) {
        return fail(
          `arrays of ${arraySize} would be refused: the cluster takes ${most}`,
          `set ${settingOf(place, "slurm.limits.arraySize")} to ${Math.max(1, most)}`,
        );
      }
      const account = place.slurm.account ?? defaultAccount;
      const own = associations.filter((association) => association.account === account);
      const mostJobs = Math.min(config.maxJobCount, ...own.map(({ maxSubmit }) => maxSubmit));
      if (jobs > mostJobs) {
        return warn(
          `up to ${jobs} jobs at once, and ${mostJobs} are allowed: more will be turned away, and tried again`,
          `set ${settingOf(place, "slurm.limits.jobs")} to ${mostJobs}`,
        );
      }
      return ok(`arrays of up to ${arraySize}, ${jobs} jobs at once`);
    },
  };
}
