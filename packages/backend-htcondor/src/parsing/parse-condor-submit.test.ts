import { expect, test } from "vitest";
import { recording } from "../testing/recording.ts";
import { parseCondorSubmit } from "./parse-condor-submit.ts";

const answer = (name: string) => parseCondorSubmit(recording(`${name}.condor_submit`));

test("what was taken", () => {
  expect(answer("submitted")).toEqual({ type: "accepted", cluster: expect.stringMatching(/^\d+$/), jobs: 3 });
  expect(answer("unknown-key")).toMatchObject({ type: "accepted", jobs: 1 });
});

test.each([
  ["bad-syntax", "Failed to parse command file (line 2)."],
  ["bad-requirements", "Parse error in expression"],
  ["missing-executable", "Executable file /nowhere/program does not exist"],
  ["no-description", "Failed to open command file"],
  ["bad-group", "Invalid accounting_group: no such group!"],
  ["too-many-at-once", "MAX_JOBS_PER_SUBMISSION"],
  ["submit-requirement", "Set ProjectName: see the wiki"],
  ["as-root", "Cannot allocate a cluster id"],
])("refused: %s", (name, words) => {
  expect(answer(name)).toEqual({ type: "refused", words: expect.stringContaining(words) });
});

test("a private folder, of which it says that there is none", () => {
  const stderr = "\nERROR: No such directory: /root/wf/runs/r1/submissions/t1\n";
  expect(parseCondorSubmit({ code: 1, stdout: "", stderr })).toEqual({
    type: "refused",
    words: expect.stringMatching(
      /^No such directory: \/root\/wf\/.* \(it is there, but .* cannot enter it.*sites\.yaml\)$/,
    ),
  });
});

test.each([
  ["too-many-jobs", "MAX_JOBS_PER_OWNER"],
  ["queue-full", "MAX_JOBS_SUBMITTED"],
  ["schedd-down", "Can't find address of local schedd"],
])("to be tried again: %s", (name, words) => {
  expect(answer(name)).toEqual({ type: "postponed", words: expect.stringContaining(words) });
});

test.each([
  ["no answer within the time", recording("schedd-silent.condor_submit")],
  ["killed", { code: null, stdout: "", stderr: "" }],
  ["no id", { code: 0, stdout: "", stderr: "" }],
  [
    "a connection that broke",
    { code: 1, stdout: "", stderr: "ERROR: Failed to commit job submission into the queue.\n" },
  ],
  ["a time-out", { code: 1, stdout: "", stderr: "\nERROR: Failed to queue job: timed out\n" }],
])("there may be jobs: %s", (_, result) => {
  expect(parseCondorSubmit(result).type).toBe("ambiguous");
});
