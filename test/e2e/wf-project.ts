import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ERROR_CODES, type ErrorCode } from "@wf/protocol";
import { afterAll, expect } from "vitest";
import { type JsonEvent, killStarted, type Outcome, Project } from "./project.ts";

export { type JsonEvent, type Outcome, Project, type Started, type StartOptions } from "./project.ts";

const projects: string[] = [];
afterAll(() => {
  killStarted();
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
