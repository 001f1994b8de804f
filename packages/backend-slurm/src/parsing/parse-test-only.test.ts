import { expect, test } from "vitest";
import { recording } from "../testing/recording.ts";
import { parseTestOnly } from "./parse-test-only.ts";

const V = "slurm-22.05";

test("a job that would start", () => {
  expect(parseTestOnly(recording(V, "test-only.ok"))).toEqual({
    type: "would-start",
    words: expect.stringMatching(/^to start at .* on nodes \S+ in partition main$/),
  });
});

test.each([
  ["test-only.bad-partition", "partition", "Invalid partition name"],
  ["test-only.bad-constraint", "constraint", "Invalid feature"],
])("%s", (name, why, words) => {
  expect(parseTestOnly(recording(V, name))).toEqual({ type: "refused", why, words: expect.stringContaining(words) });
});

test("a controller that is away is no refusal", () => {
  expect(parseTestOnly(recording(V, "slurmctld-down.sbatch"))).toMatchObject({ type: "postponed" });
});
