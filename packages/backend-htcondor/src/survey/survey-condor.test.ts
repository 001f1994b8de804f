import { expect, test } from "vitest";
import { recording } from "../testing/recording.ts";
import { poolCapacity } from "./pool-capacity.ts";
import { CONDOR_QUESTIONS, type CondorAnswers, type CondorSurvey, readCondorSurvey } from "./survey-condor.ts";

const answer = (name: string) => {
  const { code, stdout, stderr } = recording(name);
  return { code, text: stdout + stderr };
};
const ANSWERS = Object.fromEntries(
  Object.keys(CONDOR_QUESTIONS).map((name) => [name, answer(`survey.${name}`)]),
) as unknown as CondorAnswers;

function surveyOf(changes: Partial<CondorAnswers> = {}): CondorSurvey {
  const survey = readCondorSurvey({ ...ANSWERS, ...changes });
  if ("silence" in survey) throw new Error(survey.silence);
  return survey;
}

test("a pool says what it has, and what one may do there", () => {
  const survey = surveyOf();
  expect(survey).toMatchObject({
    version: "23.9.6",
    fileSystemDomain: "condor.test",
    maxJobs: 100_000,
    maxJobsPerSubmission: 20_000,
  });
  expect(poolCapacity(survey)).toEqual({
    machines: 1,
    sharingMachines: 1,
    cpus: 8,
    memoryBytes: 16 * 2 ** 30,
    gpus: 2,
  });
});

test("machines of another domain do not share files", () => {
  const slot = (Machine: string, FileSystemDomain?: string) => ({
    Machine,
    TotalSlotCpus: 4,
    TotalSlotMemory: 1024,
    FileSystemDomain,
  });
  const text = JSON.stringify([slot("a", "lab"), slot("a", "lab"), slot("b", "b"), slot("c")]);
  const survey = surveyOf({
    condorSlots: { code: 0, text },
    condorLimits: { code: 0, text: "FILESYSTEM_DOMAIN=lab\nMAX_JOBS_PER_OWNER=\n" },
  });
  expect(poolCapacity(survey)).toMatchObject({ machines: 3, sharingMachines: 1, gpus: 0 });
  expect([survey.maxJobs, survey.maxJobsPerSubmission]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
});

test("a pool without machines is one", () => {
  expect(poolCapacity(surveyOf({ condorSlots: { code: 0, text: "" } }))).toMatchObject({ machines: 0, cpus: 0 });
});

test("one that does not answer is not surveyed", () => {
  expect(readCondorSurvey({ ...ANSWERS, condorQueue: answer("schedd-down.condor_q") })).toEqual({
    silence: "Error: Can't find address for schedd submit.example.org",
  });
  expect(readCondorSurvey({ ...ANSWERS, condorSlots: { code: 0, text: "what?" } })).toEqual({
    silence: "condor_status says: what?",
  });
});
