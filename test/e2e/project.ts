import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PATIENCE_MS } from "@wf/testing";
import Database from "better-sqlite3";
import { WF_MAIN } from "./wf-program.ts";

/** What a person sees of one command, and what a program sees of it with `--json`. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of `--json`; empty without it. */
  readonly events: readonly JsonEvent[];
}

export interface JsonEvent {
  readonly type?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests name the members that they expect
  readonly [member: string]: any;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Words before `node`, such as `setpriv --reuid=65534`. */
  readonly through?: readonly string[];
}

export interface Started {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly stdout: () => string;
  readonly ended: Promise<Outcome>;
}

const running = new Set<ChildProcess>();

/** Whatever a project has started and is still there. */
export function killStarted(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** A folder of its own with a workflow in it, misused by the real program. */
export class Project {
  readonly folder: string;

  constructor(folder: string, files: Readonly<Record<string, string>>) {
    this.folder = folder;
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  write(path: string, text: string): string {
    const file = this.path(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  read(...parts: readonly string[]): string {
    return readFileSync(this.path(...parts), "utf8");
  }

  start(args: readonly string[], { env = {}, through = [] }: StartOptions = {}): Started {
    const [program, ...words] = [...through, process.execPath, WF_MAIN, ...args] as [string, ...string[]];
    const child = spawn(program, words, {
      cwd: this.folder,
      env: { ...process.env, WF_STORE: undefined, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    child.once("close", () => running.delete(child));
    return watch(child, args);
  }

  wf(args: readonly string[], options?: StartOptions): Promise<Outcome> {
    return this.start(args, options).ended;
  }

  /** One value of the store, read beside whoever writes it. Undefined while there is none. */
  ask<T>(sql: string, ...values: readonly (string | number)[]): T | undefined {
    const file = this.path(".wf", "wf.db");
    if (!existsSync(file)) return undefined;
    const db = new Database(file, { readonly: true });
    try {
      return db
        .prepare<unknown[], T>(sql)
        .pluck()
        .get(...values);
    } catch (error) {
      if (/no such table|locked/.test((error as Error).message)) return undefined;
      throw error;
    } finally {
      db.close();
    }
  }

  /** The names of all runs, the oldest first. */
  runs(): string[] {
    const folder = this.path(".wf", "runs");
    return existsSync(folder) ? readdirSync(folder).sort((a, b) => numberOf(a) - numberOf(b)) : [];
  }

  /** Every file of the store, for a look at what was written down. */
  storedFiles(): string[] {
    return readdirSync(this.path(".wf"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }
}

function numberOf(run: string): number {
  return Number(/-(\d+)-/.exec(run)?.[1]);
}

function watch(child: ChildProcess, args: readonly string[]): Started {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Outcome>((resolve, reject) => {
    const giveUp = () => reject(new Error(`wf ${args.join(" ")} did not end. It said so far:\n${stdout}${stderr}`));
    const patience = setTimeout(giveUp, PATIENCE_MS).unref();
    child.once("error", reject);
    child.once("close", (exitCode) => {
      clearTimeout(patience);
      resolve({ exitCode, stdout, stderr, events: eventsOf(stdout) });
    });
  });
  return { child, stdout: () => stdout, ended };
}

function eventsOf(stdout: string): JsonEvent[] {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as JsonEvent);
}
