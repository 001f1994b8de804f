import { expect, it } from "vitest";
import { valueStats } from "./value-stats.ts";

const hash = "0".repeat(64);

it("adds up what there is to stage", () => {
  const directory = { kind: "directory", hash, size: 10, files: 3 } as const;
  const dataset = { kind: "dataset", hash, size: 20, files: 4, rows: 2 } as const;
  const json = { kind: "json", hash, size: 2, value: 10 } as const;
  const file = { kind: "file", hash, size: 5, name: "x" } as const;
  expect(valueStats({ kind: "list", items: [directory, { kind: "list", items: [dataset, json] }, file] })).toEqual({
    files: 9,
    bytes: 37,
  });
  expect(valueStats({ kind: "absent" })).toEqual({ files: 0, bytes: 0 });
});
