import { describe, expect, test } from "vitest";
import { largeRecordings, recording, recordings, VERSIONS } from "../testing/recording.ts";
import { parseSbatch } from "./parse-sbatch.ts";

describe.each(VERSIONS)("%s", (version) => {
  test.each([
    ["sbatch.ok", { type: "accepted", id: expect.stringMatching(/^\d+$/) }],
    ["sbatch.ok-cluster", { type: "accepted", id: expect.stringMatching(/^\d+$/) }],
    ["sbatch.bad-partition", { type: "refused", why: "partition", words: expect.stringContaining("nosuch") }],
    ["sbatch.too-much-memory", { type: "refused", why: "memory", words: expect.stringContaining("not available") }],
    ["slurmctld-hangs.sbatch", { type: "ambiguous", words: expect.stringContaining("Socket timed out") }],
    ["slurmctld-down.sbatch", { type: "postponed", words: expect.stringContaining("Unable to contact") }],
    ["munge-down.sbatch", { type: "postponed", words: expect.stringContaining("Munge encode failed") }],
    ["limits.sbatch.too-many-jobs", { type: "postponed", words: expect.stringContaining("AssocMaxSubmitJobLimit") }],
  ])("%s", (name, answer) => {
    expect(parseSbatch(recording(version, name))).toEqual(answer);
  });
});

test.each([
  ["ended by a signal: it may have got through", { code: null, stdout: "", stderr: "" }],
  ["content, but not with an id", { code: 0, stdout: "queued\n", stderr: "" }],
  ["an id, and then cut off", { code: 1, stdout: "4711\n", stderr: "sbatch: error: Connection reset by peer" }],
])("%s", (_, result) => {
  expect(parseSbatch(result).type).toBe("ambiguous");
});

test.each([
  "AssocGrpSubmitJobsLimit",
  "QOSMaxSubmitJobPerUserLimit",
  "Batch job submission failed: Slurm temporarily unable to accept job, sleeping and retrying.",
  "Batch job submission failed: Slurm backup controller in standby mode",
])("no job, but later there may be one: %s", (words) => {
  expect(parseSbatch({ code: 1, stdout: "", stderr: `sbatch: error: ${words}\n` })).toEqual({
    type: "postponed",
    words,
  });
});

test("what a wrapper of the site says before the id is passed over", () => {
  expect(parseSbatch({ code: 0, stdout: "Welcome to the lab\n4711\n", stderr: "" })).toEqual({
    type: "accepted",
    id: "4711",
  });
});

const large = largeRecordings();
describe.skipIf(large === null).each(VERSIONS)(
  "every refusal that was recorded of %s (WF_TEST_CLUSTERS)",
  (version) => {
    const expected: Readonly<Record<string, string>> = {
      "sbatch.array-too-large": "array",
      "sbatch.bad-array": "array",
      "sbatch.bad-constraint": "constraint",
      "sbatch.bad-dependency": "dependency",
      "sbatch.bad-directive": "option",
      "sbatch.bad-gres": "gres",
      "sbatch.bad-license": "license",
      "sbatch.bad-mem": "memory",
      "sbatch.bad-node": "nodes",
      "sbatch.bad-option": "option",
      "sbatch.bad-partition": "partition",
      "sbatch.bad-time": "time-limit",
      "sbatch.dos-lines": "script",
      "sbatch.excluded-all": "node-configuration",
      "sbatch.feature-not-in-partition": "node-configuration",
      "sbatch.no-shebang": "script",
      "sbatch.script-empty": "script",
      "sbatch.too-many-cpus": "cpus",
      "sbatch.too-many-gpus": "node-configuration",
      "sbatch.too-many-nodes": "node-configuration",
      "sbatch.too-much-memory": "memory",
      "enforced.sbatch.bad-account": "account",
      "enforced.sbatch.bad-qos": "qos",
      "enforced.sbatch.partition-drain": "partition-unavailable",
      "enforced.sbatch.partition-inactive": "partition-unavailable",
      "enforced.sbatch.partition-nodes": "nodes",
      "enforced.sbatch.time-limit": "time-limit",
      "enforced.sbatch.too-many-cpus": "cpus",
    };

    test("has its class, and what was accepted has its id", () => {
      const wrong: unknown[] = [];
      for (const result of recordings(version, large as string, /(^|\.)sbatch\.(?!test-only|ok-not-parsable)/)) {
        const answer = parseSbatch(result);
        const isRight =
          result.code === 0
            ? answer.type === "accepted"
            : answer.type === "postponed" ||
              (answer.type === "refused" && (expected[result.name] ?? answer.why) === answer.why);
        if (!isRight) wrong.push([result.name, answer]);
      }
      expect(wrong).toEqual([]);
    });
  },
);
