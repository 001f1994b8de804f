import { expect, test } from "vitest";
import { mostMemoryBytes } from "./most-memory.ts";
import { Site } from "./site.ts";

const ONE = { nodes: 1, processes: 1, cpus: 1, gpus: 0, timeLimitSeconds: null };
const slurm = (...partitions: readonly object[]) =>
  Site.parse({ backend: "slurm", storage: "/s", slurm: { partitions } });
const most = (site: Site, wanted: Partial<Parameters<typeof mostMemoryBytes>[1]> = {}) =>
  mostMemoryBytes(site, { ...ONE, ...wanted }, 1000);

test("of the partitions that could run it, the one with the most counts", () => {
  const site = slurm(
    { name: "short", maxTime: "1h", memoryPerNode: 400 },
    { name: "thin", cpusPerNode: 4, memoryPerNode: 300 },
    { name: "gpu", gpusPerNode: 2, memoryPerNode: 200 },
    { name: "wide", maxNodes: 8, cpusPerNode: 2, memoryPerNode: 900 },
  );
  expect(most(site)).toBe(900);
  expect(most(site, { cpus: 4 })).toBe(400);
  expect(most(site, { cpus: 4, timeLimitSeconds: 7200 })).toBe(300);
  expect(most(site, { gpus: 1 })).toBe(200);
  expect(most(site, { gpus: 1, processes: 2 })).toBe(100);
});

test("what the site does not say is not limited", () => {
  expect(most(slurm())).toBe(Number.POSITIVE_INFINITY);
  expect(most(slurm({ name: "a", memoryPerNode: 400 }, { name: "b" }))).toBe(Number.POSITIVE_INFINITY);
  expect(most(Site.parse({ backend: "htcondor", storage: "/s" }))).toBe(Number.POSITIVE_INFINITY);
});

test("of a pool the largest machine counts, and of this machine all of it, for all processes together", () => {
  const pool = Site.parse({ backend: "htcondor", storage: "/s", htcondor: { largest: { memory: 600 } } });
  expect(most(pool, { processes: 2 })).toBe(300);
  expect(most(Site.parse({}), { nodes: 2, processes: 2 })).toBe(250);
});
