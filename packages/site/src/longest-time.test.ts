import { expect, test } from "vitest";
import { longestTimeSeconds } from "./longest-time.ts";
import { Site } from "./site.ts";

const small = { processes: 1, cpus: 1, memoryBytes: 0, gpus: 0, timeLimitSeconds: 3600 };
const cluster = (slurm: object) => Site.parse({ backend: "slurm", storage: "/scratch/me/wf", slurm });

test("is that of the partition that lets it run longest, among those that it fits into", () => {
  const site = cluster({
    partitions: [
      { name: "short", maxTime: "1m" },
      { name: "main", maxTime: "2h", cpusPerNode: 8, memoryPerNode: "16GB" },
      { name: "gpu", maxTime: "30m", gpusPerNode: 2 },
    ],
  });
  expect(longestTimeSeconds(site, small)).toBe(7200);
  expect(longestTimeSeconds(site, { ...small, cpus: 16 })).toBe(1800);
  expect(longestTimeSeconds(site, { ...small, cpus: 4, processes: 4 })).toBe(1800);
  expect(longestTimeSeconds(site, { ...small, memoryBytes: 32e9 })).toBe(1800);
  expect(longestTimeSeconds(site, { ...small, gpus: 1 })).toBe(1800);
});

test("is not known where a partition has no limit, no partition is named, or there is no queue", () => {
  expect(longestTimeSeconds(cluster({ partitions: [{ name: "main" }, { name: "short", maxTime: "1m" }] }), small)).toBe(
    null,
  );
  expect(longestTimeSeconds(cluster({}), small)).toBe(null);
  expect(longestTimeSeconds(Site.parse({}), small)).toBe(null);
});

test("is the site's own time for a task that asks for none", () => {
  const site = cluster({ time: "1h", partitions: [{ name: "main", maxTime: "1d" }] });
  expect(longestTimeSeconds(site, { ...small, timeLimitSeconds: null })).toBe(3600);
  expect(longestTimeSeconds(site, small)).toBe(86_400);
});
