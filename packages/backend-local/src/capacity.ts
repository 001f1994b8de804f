import { execFile } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { promisify } from "node:util";
import type { Capacity } from "@wf/backend";
import { readCgroupLimits } from "./cgroup-limits.ts";

const run = promisify(execFile);

/** What this machine gives to tasks: its own size, or what a container or a batch job leaves of it. */
export async function detectCapacity(signal: AbortSignal): Promise<Capacity> {
  const limits = readCgroupLimits();
  return {
    cpus: Math.max(1, Math.floor(Math.min(availableParallelism(), limits.cpus))),
    memoryBytes: Math.min(totalmem(), limits.memoryBytes),
    gpus: (await countNvidia(signal)) || (await countRocm(signal)),
  };
}

async function countNvidia(signal: AbortSignal): Promise<number> {
  return parseNvidiaList(await output("nvidia-smi", ["-L"], signal));
}

async function countRocm(signal: AbortSignal): Promise<number> {
  return parseRocmIds(await output("rocm-smi", ["--showid", "--json"], signal));
}

/** `nvidia-smi -L`: one line a GPU, with indented lines for the parts of a divided one. */
export function parseNvidiaList(text: string): number {
  return text.match(/^GPU \d+:/gm)?.length ?? 0;
}

/** `rocm-smi --showid --json`: one member a card. Warnings may stand before the JSON. */
export function parseRocmIds(text: string): number {
  return new Set(text.match(/"card\d+"/g)).size;
}

/** A tool that is absent, fails or hangs has no GPUs to offer. */
async function output(tool: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  try {
    return (await run(tool, args, { timeout: 10_000, signal })).stdout;
  } catch {
    signal.throwIfAborted();
    return "";
  }
}
