import { expect, test } from "vitest";
import { parseJobIds, showJobId } from "./job-id.ts";

test.each([
  ["12", ["12"]],
  ["31_5", ["31_5"]],
  ["42_[0-2]", ["42_0", "42_1", "42_2"]],
  ["48_[1,3-4]", ["48_1", "48_3", "48_4"]],
  ["31_[18-19%5]", ["31_18", "31_19"]],
  ["23+1", ["23+1"]],
])("%s speaks of %j", (text, ids) => {
  expect(parseJobIds(text)?.map(showJobId)).toEqual(ids);
});

test.each(["", "JOBID", "12_", "12_x", "12_[1,...]", "12.batch"])("%s is no job", (text) => {
  expect(parseJobIds(text)).toBeNull();
});
