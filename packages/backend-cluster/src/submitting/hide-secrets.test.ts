import { sampleJob, sampleTask } from "@wf/backend/testing";
import { expect, test } from "vitest";
import { hideSecrets } from "./hide-secrets.ts";

const task = (attempt: string, token: string) =>
  sampleTask(attempt, { env: { TOKEN: token, SEED: "1" }, secrets: ["TOKEN"] });

test("no value of a secret stays in a job", () => {
  const { job, secrets } = hideSecrets(sampleJob([task("a@1", "s3cret"), task("b@1", "s3cret")]));
  expect(secrets).toEqual({ TOKEN: "s3cret" });
  expect(JSON.stringify(job)).not.toContain("s3cret");
  expect(job.tasks.map(({ env }) => env)).toEqual([{ SEED: "1" }, { SEED: "1" }]);
});

test("a task never gets the secret of its neighbour", () => {
  expect(() => hideSecrets(sampleJob([task("a@1", "one"), task("b@1", "two")]))).toThrow(
    "Two tasks of one job have different secrets called TOKEN.",
  );
});
