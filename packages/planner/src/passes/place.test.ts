import type { Placement } from "@wf/site";
import { expect, test } from "vitest";
import { howToPlace, placeFiles } from "./place.ts";

test.each<[Placement, "link" | "copy"]>([
  ["shared", "link"],
  ["copy", "copy"],
  // What the scheduler has sent is the job's own, so a second copy would be waste.
  ["transfer", "link"],
])("where files are placed by %s, a task is given a %s", (placement, how) => {
  for (const files of ["inputs", "code", "intermediate"] as const)
    expect(howToPlace(placeFiles(placement), files)).toBe(how);
});

test("outputs are the person's own, however files reach tasks", () => {
  for (const placement of ["shared", "copy", "transfer"] as const)
    expect(placeFiles(placement).find(({ files }) => files === "outputs")).toEqual({ files: "outputs", how: "copy" });
});
