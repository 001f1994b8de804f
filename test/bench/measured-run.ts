import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";
import { freshFolder } from "./fresh-folder.ts";

export interface MeasuredRun {
  readonly seconds: number;
  /** The most memory that `wf` itself held; the launcher and the tasks are other processes. */
  readonly peakMemoryBytes: number;
  readonly stdout: string;
}

/** One workflow, and a store of its own. */
export interface BenchProject {
  /** Runs `wf COMMAND workflow.ts ARGS…` and fails if it does. */
  wf(command: string, ...args: string[]): Promise<MeasuredRun>;
  /** What `wf query` answers. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

const SAMPLE_MS = 10;

export function makeProject(workflow: string, sites = "sites: {}\n"): BenchProject {
  const folder = freshFolder();
  writeFileSync(join(folder, "workflow.ts"), workflow);
  writeFileSync(join(folder, "sites.yaml"), sites);
  return project(folder, "workflow.ts", join(folder, ".wf"));
}

/** A workflow of the repository, as `lung-seg.ts`, with nothing known. */
export function openWorkflow(file: string): BenchProject {
  return project(join(REPOSITORY, "workflows"), file, join(freshFolder(), ".wf"));
}

function project(folder: string, file: string, store: string): BenchProject {
  const main = join(REPOSITORY, "packages/cli/bundle/main.js");
  return {
    wf: (command, ...args) => measure(folder, [main, command, file, "--store", store, ...args]),
    async query(sql) {
      const { stdout } = await measure(folder, [main, "query", sql, "--store", store, "--format", "json"]);
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
  };
}

function measure(cwd: string, argv: readonly string[]): Promise<MeasuredRun> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, argv, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    let peakMemoryBytes = 0;
    const sampler = setInterval(() => {
      peakMemoryBytes = Math.max(peakMemoryBytes, peakOf(child.pid));
    }, SAMPLE_MS);
    child.stdout.on("data", (text) => {
      stdout += text;
    });
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    child.on("close", (code) => {
      clearInterval(sampler);
      const seconds = (performance.now() - start) / 1000;
      if (code === 0) resolve({ seconds, peakMemoryBytes, stdout });
      else reject(new Error(`wf ${argv.slice(1).join(" ")} ended with ${code}:\n${stdout.slice(-2000)}${stderr}`));
    });
  });
}

/** VmHWM: the kernel keeps the peak, so the last sample before the end is enough. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
