import {
  CONDOR_QUESTIONS,
  type CondorSurvey,
  type PoolCapacity,
  poolCapacity,
  readCondorSurvey,
} from "@wf/backend-htcondor";
import { shellLine, WfError } from "@wf/protocol";
import { type Answer, askAtOnce } from "@wf/transport";
import { counted } from "../../format/count.ts";
import { memoryText } from "../../sites/amount-text.ts";
import { PROFILE } from "../../sites/survey-site.ts";
import { type Check, fail, ok, warn } from "../diagnosis.ts";
import { type PoolPlace, type SchedulerChecks, settingOf } from "./cluster-place.ts";
import { checkJob } from "./job.ts";
import { checkSetup } from "./setup.ts";

/** What HTCondor says of itself, asked once for all checks. */
interface PoolAsked {
  readonly survey: CondorSurvey;
  readonly history: Answer;
  /** Names of the machines that fulfil the site's requirements; null where that cannot be asked. */
  readonly fitting: Answer | null;
}

export function poolChecks(place: PoolPlace): SchedulerChecks {
  const asked = askPool(place);
  return {
    answers: checkPool(asked),
    more: asked.then(
      (answers) => [
        checkHistory(answers),
        checkMachines(place, answers),
        checkFiles(place, poolCapacity(answers.survey)),
        checkLimits(place, answers.survey),
      ],
      () => [],
    ),
    setup: (launcher) => checkSetup(place, "htcondor", place.htcondor, launcher),
    job: () => checkJob(place, { backend: "htcondor", htcondor: place.htcondor, placement: place.site.placement }),
  };
}

const QUESTIONS = {
  missing:
    "for name in condor_submit condor_q condor_rm condor_history; do command -v $name >/dev/null || echo $name; done",
  missingInLogin: `${PROFILE} >/dev/null 2>&1; command -v condor_submit`,
  history: "condor_history -limit 1 -af ClusterId",
  ...CONDOR_QUESTIONS,
} as const;

async function askPool(place: PoolPlace): Promise<PoolAsked> {
  const { transport, signal } = place;
  const requirements = ofMachinesAlone(place.htcondor.requirements);
  const fits = shellLine(["condor_status", "-constraint", requirements ?? "true", "-af", "Machine"]);
  const { missing, missingInLogin, history, fitting, ...answers } = await askAtOnce(
    transport,
    { ...QUESTIONS, fitting: fits },
    signal,
  );
  const names = missing.text.split("\n").filter(Boolean);
  if (names.length > 0) {
    throw new WfError("WF_SITE_SCHEDULER", `not on the PATH there: ${names.join(", ")}`, {
      hint:
        missingInLogin.code === 0
          ? `logins have them: set ${settingOf(place, "prelude")} to "${PROFILE}"`
          : "is it a submit host? Ask those who run the pool where HTCondor's commands are",
    });
  }
  const survey = readCondorSurvey(answers);
  if ("silence" in survey) {
    throw new WfError("WF_SITE_COMMAND", `HTCondor does not answer: ${survey.silence}`, {
      hint: "its schedd may be down: try again later; jobs that run are not touched by it",
    });
  }
  return { survey, history, fitting: requirements === null ? null : fitting };
}

/** Requirements as a question about machines; null where there are none, or where they speak of the job, too. */
function ofMachinesAlone(requirements: string | undefined): string | null {
  return requirements === undefined || /\bMY\./i.test(requirements) ? null : requirements.replace(/\bTARGET\./gi, "");
}

function checkPool(asked: Promise<PoolAsked>): Check {
  return {
    name: "htcondor",
    async examine() {
      const { survey } = await asked;
      const { machines } = poolCapacity(survey);
      const says = `${survey.version}, ${counted(machines, "machine")}`;
      return machines > 0 ? ok(says) : warn(says, "jobs will wait until machines come back");
    },
  };
}

/** The second means to learn how a job ended, for those that left no record. */
function checkHistory({ history }: PoolAsked): Check {
  return {
    name: "history",
    examine() {
      if (history.code === 0) return ok("answers");
      return warn(
        `condor_history does not answer: ${history.text.trim().split("\n")[0]}`,
        "runs work without it; but why a job died whose events were lost is then not known",
      );
    },
  };
}

/** That jobs would find a machine. */
function checkMachines(place: PoolPlace, { survey, fitting }: PoolAsked): Check {
  return {
    name: "machines",
    examine() {
      const has = poolCapacity(survey);
      const excess = whatIsTooMuch(place, has);
      if (excess.length > 0) {
        return fail(
          "the largest machines have less than sites.yaml says, so jobs would wait for ever",
          `set in ${settingOf(place, "htcondor.largest")}: ${excess.join(", ")}`,
        );
      }
      if (fitting === null) return ok(`up to ${has.cpus} cpus, ${memoryText(has.memoryBytes)}, ${has.gpus} gpus`);
      const change = `change ${settingOf(place, "htcondor.requirements")}`;
      if (fitting.code !== 0) return fail(`the requirements cannot be read: ${lastLine(fitting.text)}`, change);
      const machines = new Set(fitting.text.split("\n").filter(Boolean)).size;
      const says = `${machines} of ${has.machines} machines fulfil the requirements`;
      return machines > 0 ? ok(says) : fail(`${says}: jobs would wait for ever`, change);
    },
  };
}

function whatIsTooMuch({ htcondor }: PoolPlace, has: PoolCapacity): readonly string[] {
  const { cpus = 0, memory = 0, gpus } = htcondor.largest;
  if (has.machines === 0) return [];
  return [
    ...(cpus > has.cpus ? [`cpus: ${has.cpus}`] : []),
    ...(memory > has.memoryBytes ? [`memory: ${memoryText(has.memoryBytes)}`] : []),
    ...(gpus > has.gpus ? [`gpus: ${has.gpus}`] : []),
  ];
}

/** Whether machines see the storage, as far as they say; `--job` tries it. */
function checkFiles(place: PoolPlace, { machines, sharingMachines }: PoolCapacity): Check {
  return {
    name: "files",
    examine() {
      const { placement } = place.site;
      const says = `${sharingMachines} of ${machines} machines share files with the submit host`;
      if (placement !== "shared") return ok(`placement ${placement}: machines need not see the storage`);
      if (machines > 0 && sharingMachines === 0) {
        return fail(
          `${says}, and "placement: shared" needs them to`,
          `set ${settingOf(place, "placement")} to transfer`,
        );
      }
      return sharingMachines === machines
        ? ok(says)
        : warn(`${says}: jobs go to these alone`, `to use all, set ${settingOf(place, "placement")} to transfer`);
    },
  };
}

/** What sites.yaml says beside what the pool allows. */
function checkLimits(place: PoolPlace, { maxJobs, maxJobsPerSubmission }: CondorSurvey): Check {
  return {
    name: "limits",
    examine() {
      const { jobs, perSubmission } = place.htcondor.limits;
      if (perSubmission > maxJobsPerSubmission) {
        return fail(
          `submissions of ${perSubmission} jobs would be refused: the pool takes ${maxJobsPerSubmission}`,
          `set ${settingOf(place, "htcondor.limits.perSubmission")} to ${maxJobsPerSubmission}`,
        );
      }
      if (jobs > maxJobs) {
        return warn(
          `up to ${jobs} jobs at once, and ${maxJobs} are allowed: more will be turned away, and tried again`,
          `set ${settingOf(place, "htcondor.limits.jobs")} to ${maxJobs}`,
        );
      }
      return ok(`submissions of up to ${perSubmission}, ${jobs} jobs at once`);
    },
  };
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
