import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { detectCapacity, parseNvidiaList, parseRocmIds } from "./capacity.ts";
import { readCgroupLimits } from "./cgroup-limits.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wf-cgroup-"));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test("a limit on a group above this one counts (version 2)", () => {
  const membership = put("self", "0::/slurm/job_7/step_0\n");
  put("slurm/job_7/step_0/memory.max", "max\n");
  put("slurm/job_7/memory.max", "2147483648\n");
  put("slurm/memory.max", "8589934592\n");
  put("slurm/job_7/step_0/cpu.max", "max 100000\n");
  put("slurm/job_7/cpu.max", "150000 100000\n");
  expect(readCgroupLimits(membership, root)).toEqual({ cpus: 1.5, memoryBytes: 2 * 2 ** 30 });
});

test("each controller has its own tree in version 1", () => {
  const membership = put("self", "5:memory:/docker/a\n4:cpu,cpuacct:/docker/a\n1:name=systemd:/docker/a\n");
  put("memory/docker/a/memory.limit_in_bytes", "1073741824\n");
  put("memory/docker/memory.limit_in_bytes", "9223372036854771712\n");
  put("cpu,cpuacct/docker/a/cpu.cfs_quota_us", "400000\n");
  put("cpu,cpuacct/docker/a/cpu.cfs_period_us", "100000\n");
  put("cpu,cpuacct/docker/cpu.cfs_quota_us", "-1\n");
  put("cpu,cpuacct/docker/cpu.cfs_period_us", "100000\n");
  expect(readCgroupLimits(membership, root)).toEqual({ cpus: 4, memoryBytes: 2 ** 30 });
});

test("without control groups there is no limit", () => {
  expect(readCgroupLimits(join(root, "absent"), root)).toEqual({
    cpus: Number.POSITIVE_INFINITY,
    memoryBytes: Number.POSITIVE_INFINITY,
  });
});

test("counts the GPUs that nvidia-smi lists, not their parts", () => {
  const text = `GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5c89852c-d268-c3f3-1b07-005d5ae1dc3f)
  MIG 1g.5gb      Device  0: (UUID: MIG-c6d4f1ef-42e4-5de3-91c7-45d71c87eb3f)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-e86cb44c-6756-fd30-cd4a-1e6da3caf9b0)
`;
  expect(parseNvidiaList(text)).toBe(2);
  expect(parseNvidiaList("No devices were found\n")).toBe(0);
});

test("counts the cards that rocm-smi lists", () => {
  const text = `WARNING: AMD GPU device(s) is/are in a low-power state.
{"card0": {"Device ID": "0x740f"}, "card1": {"Device ID": "0x740f"}}`;
  expect(parseRocmIds(text)).toBe(2);
  expect(parseRocmIds("")).toBe(0);
});

test("this machine has at least one cpu and not more memory than is built in", async () => {
  const capacity = await detectCapacity(new AbortController().signal);
  expect(capacity.cpus).toBeGreaterThanOrEqual(1);
  expect(capacity.cpus).toBeLessThanOrEqual(availableParallelism());
  expect(capacity.memoryBytes).toBeGreaterThan(2 ** 20);
  expect(capacity.memoryBytes).toBeLessThanOrEqual(totalmem());
});
