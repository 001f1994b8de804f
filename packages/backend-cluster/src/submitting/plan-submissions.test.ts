import { sampleJob, sampleTask } from "@wf/backend/testing";
import type { JobSpec } from "@wf/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { batchJobs } from "./batch-jobs.ts";
import { planSubmissions } from "./plan-submissions.ts";

const plan = (run: string, jobs: readonly JobSpec[], largestSubmission = 1000) =>
  planSubmissions(run, jobs, { fit: ({ cpus }) => ({ type: "fits", request: { cpus } }), largestSubmission });

interface Ready {
  readonly id: number;
  readonly likeness: string;
  readonly isRetry: boolean;
}

const readyJobs = fc
  .array(fc.record({ likeness: fc.constantFrom("a", "b", "c"), isRetry: fc.boolean() }))
  .map((jobs): Ready[] => jobs.map((job, id) => ({ ...job, id })));

const inBatches = (jobs: readonly Ready[], largest: number) =>
  batchJobs(jobs, { likeness: (job) => job.likeness, isRetry: (job) => job.isRetry, largest });

test("every job is in one batch, with others like it, and in order", () => {
  fc.assert(
    fc.property(readyJobs, fc.integer({ min: 1, max: 5 }), (jobs, largest) => {
      const batches = inBatches(jobs, largest);
      expect(batches.flat().toSorted((a, b) => a.id - b.id)).toEqual(jobs);
      for (const batch of batches) {
        expect(batch.length).toBeLessThanOrEqual(largest);
        expect(new Set(batch.map(({ likeness }) => likeness)).size).toBe(1);
        expect(batch.map(({ id }) => id)).toEqual(batch.map(({ id }) => id).toSorted((a, b) => a - b));
      }
    }),
  );
});

test("a retry goes alone, and there are no more batches than are needed", () => {
  fc.assert(
    fc.property(readyJobs, fc.integer({ min: 1, max: 5 }), (jobs, largest) => {
      const batches = inBatches(jobs, largest);
      for (const batch of batches) if (batch.some(({ isRetry }) => isRetry)) expect(batch).toHaveLength(1);
      const first = jobs.filter(({ isRetry }) => !isRetry);
      const needed = ["a", "b", "c"].map((likeness) => first.filter((job) => job.likeness === likeness).length);
      const fewest = needed.reduce((sum, count) => sum + Math.ceil(count / largest), 0);
      expect(batches).toHaveLength(fewest + jobs.length - first.length);
    }),
  );
});

test("a thousand equal jobs are as many submissions as the site's limit asks for", () => {
  const jobs = Array.from({ length: 1000 }, (_, index) => sampleJob([sampleTask(`a.${index}@1`)]));
  const { submissions } = plan("r1", jobs, 400);
  expect(submissions.map((submission) => submission.jobs.length)).toEqual([400, 400, 200]);
  expect(new Set(submissions.map(({ token }) => token)).size).toBe(3);
});

test("the same jobs have the same token, other jobs another one: of another run, attempt or storage", () => {
  const token = (run: string, attempt: string, storage = "/s") =>
    plan(run, [sampleJob([sampleTask(attempt)], { storage })]).submissions[0]?.token;
  expect(token("r1", "a@1")).toBe(token("r1", "a@1"));
  expect(new Set([token("r1", "a@1"), token("r2", "a@1"), token("r1", "a@2"), token("r1", "a@1", "/t")]).size).toBe(4);
});

test("a name that says task and run, and that a scheduler can look for, whatever they are called", () => {
  const nameOf = (jobs: readonly JobSpec[]) => plan("lung, 2 é", jobs).submissions[0]?.name;
  expect(nameOf([sampleJob([sampleTask("a@1")])])).toMatch(/^a-lung__2__-[0-9a-f]{16}$/);
  const items = Array.from({ length: 20 }, (_, index) => sampleJob([sampleTask(`train.${index}@1`)]));
  expect(nameOf(items)).toMatch(/^train\.0\+19-lung__2__-[0-9a-f]{16}$/);
});

test("jobs that ask for other things, or have other secrets, do not go together", () => {
  const secret = (value: string) => sampleTask("s@1", { env: { TOKEN: value, SEED: "1" }, secrets: ["TOKEN"] });
  const { submissions } = plan("r1", [
    sampleJob([sampleTask("a@1")]),
    sampleJob([sampleTask("b@1")], { cpus: 2 }),
    sampleJob([sampleTask("c@1")]),
    sampleJob([sampleTask("d@2")]),
    sampleJob([secret("one")]),
    sampleJob([secret("two")]),
  ]);
  expect(submissions.map(({ jobs }) => jobs.map(({ job }) => job))).toEqual([
    ["job-a@1", "job-c@1"],
    ["job-b@1"],
    ["job-d@2"],
    ["job-s@1"],
    ["job-s@1"],
  ]);
  expect(submissions[3]?.secrets).toEqual({ TOKEN: "one" });
  expect(submissions[3]?.jobs[0]?.tasks[0]?.env).toEqual({ SEED: "1" });
});
