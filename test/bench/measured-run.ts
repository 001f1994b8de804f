import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "./repository.ts";

export interface MeasuredRun {
  readonly seconds: number;
  /** The most memory that `wf` itself held; the launcher and the tasks are other processes. */
  readonly peakMemoryBytes: number;
  readonly stdout: string;
}

/** A project in a temporary folder, with one workflow. */
export interface BenchProject {
  /** Runs `wf COMMAND workflow.ts ARGS…` and fails if it does. */
  wf(command: string, ...args: string[]): Promise<MeasuredRun>;
  /** Forgets all runs. */
  clear(): void;
}

const SAMPLE_MS = 10;

export async function withProject<T>(workflow: string, work: (project: BenchProject) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "wf-bench-"));
  writeFileSync(join(folder, "workflow.ts"), workflow);
  writeFileSync(join(folder, "sites.yaml"), "sites: {}\n");
  try {
    return await work({
      wf: (command, ...args) =>
        measure(folder, [join(REPOSITORY, "packages/cli/dist/main.js"), command, "workflow.ts", ...args]),
      clear: () => rmSync(join(folder, ".wf"), { recursive: true, force: true }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
