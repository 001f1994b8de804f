import { expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { sweptLines } from "./swept-lines.ts";

const NOTHING = { count: 0, bytes: 0 };
const CLEAN = {
  name: "cluster",
  runs: NOTHING,
  objects: NOTHING,
  leftovers: NOTHING,
  young: NOTHING,
  kept: { count: 2, bytes: 3000 },
  busy: [],
  others: 0,
};

it("says that nothing went", () => {
  expect(sweptLines(CLEAN, false, new CapturedScreen())).toEqual([
    "on cluster: freed 0 B: no objects (0 B), no run folders (0 B)",
    "on cluster: kept 2 objects (3.00 kB)",
  ]);
});

it("names what would go, and everything that stays with its reason", () => {
  const swept = {
    ...CLEAN,
    runs: { count: 1, bytes: 1000 },
    objects: { count: 3, bytes: 2e6 },
    leftovers: { count: 1, bytes: 500 },
    young: { count: 4, bytes: 4000 },
    busy: ["flow-3-abcd"],
    others: 7,
  };
  expect(sweptLines(swept, true, new CapturedScreen())).toEqual([
    "on cluster: would free 2.00 MB: 3 objects (2.00 MB), 1 run folder (1.00 kB), 1 unfinished file (500 B)",
    "on cluster: kept, for they are new: 4 objects (4.00 kB)",
    "on cluster: kept flow-3-abcd, for jobs of it are still in the queue",
    "on cluster: kept 2 objects (3.00 kB)",
    "on cluster: left alone 7 runs of other stores",
    "  next  the same without --dry-run",
  ]);
});
