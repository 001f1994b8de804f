import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ERROR_CODES, type ErrorCode } from "@wf/core";
import Database from "better-sqlite3";
import { afterAll, expect } from "vitest";
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
    children.push(child);
    return watch(child);
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

function watch(child: ChildProcess): Started {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr, events: eventsOf(stdout) }));
  });
  return { child, stdout: () => stdout, ended };
}

function eventsOf(stdout: string): JsonEvent[] {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as JsonEvent);
}

const children: ChildProcess[] = [];
const projects: string[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of projects) rmSync(folder, { recursive: true, force: true });
});

/** A new project, removed when the tests of the file have ended. */
export function makeProject(files: Readonly<Record<string, string>>): Project {
  const folder = mkdtempSync(join(tmpdir(), "wf-bad-"));
  projects.push(folder);
  chmodSync(folder, 0o755);
  return new Project(folder, files);
}

export interface ExpectedError {
  /** What and why. */
  readonly says: RegExp;
  /** The file, line, task or run. */
  readonly where?: RegExp;
  /** What to type or change next. */
  readonly next: RegExp;
}

/** Law: an error has its code, its exit code, what, where, why and what to do next, for people and for programs. */
export function expectError(outcome: Outcome, code: ErrorCode, { says, where, next }: ExpectedError): void {
  const error = outcome.events.findLast((event) => event.type === "error");
  expect({ exit: outcome.exitCode, ...error }, outcome.stderr).toMatchObject({
    exit: ERROR_CODES[code][0],
    code,
    message: expect.stringMatching(says),
    ...(where === undefined ? {} : { where: expect.stringMatching(where) }),
    hint: expect.stringMatching(next),
  });
  const { message, where: place = "", hint } = error as JsonEvent;
  expect(outcome.stderr).toContain(`error[${code}]: ${message.split("\n")[0]}`);
  expect(outcome.stderr).toContain(place);
  expect(outcome.stderr).toContain(`next: ${hint}`);
  expect(outcome.stderr).not.toContain("WF_INTERNAL");
}

/** The event with which a run tells the end of a task. */
export function endOf(outcome: Outcome, task: string): JsonEvent | undefined {
  return outcome.events.find((event) => event.type === "task.ended" && event.task === task);
}

/** How a run ended, for a test that goes on with it. */
export function finishOf(outcome: Outcome): JsonEvent | undefined {
  return outcome.events.find((event) => event.type === "run.finished");
}

/** Waits for something of another process. The time-out of the test ends a wait that is in vain. */
export async function until<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await sleep(10);
  }
}
