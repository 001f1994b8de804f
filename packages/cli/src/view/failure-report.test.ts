import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttemptFiles, repeatLine } from "@wf/run";
import { ended, finished, step, submitted } from "@wf/run/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NO_COLOURS } from "../format/colour.ts";
import { FailureLog } from "./failure-log.ts";
import { failureLines } from "./failure-report.ts";

let storage: string;
beforeEach(() => {
  storage = mkdtempSync(join(tmpdir(), "wf failure "));
});
afterEach(() => rmSync(storage, { recursive: true }));

function keepAttempt(attempt: string, stderr: string): string {
  const folder = new AttemptFiles(storage, "demo-1-abcd", attempt).folder;
  mkdirSync(join(folder, "sandbox"), { recursive: true });
  writeFileSync(join(folder, "stderr"), stderr);
  return folder;
}

const failure = { class: "exit", message: "the command ended with exit status 1", exitCode: 1 } as const;

function fail(log: FailureLog, stage: string, index: number, attempts: number): void {
  const task = step(stage, index);
  for (let number = 1; number <= attempts; number++) {
    for (const fact of submitted(task, number)) log.note(fact);
    log.note(finished(task, { attempt: `${task.task}@${number}`, failure }));
  }
  log.note(ended(task, { state: "failed", cause: { root: task.task, class: "exit", message: failure.message } }));
}

const run = () => ({ id: "demo-1-abcd", workflow: "demo", site: "local", storage, cpus: 1, stages: [] });

describe("failure report", () => {
  it("tells the root cause first, its stderr, its sandbox, how to repeat it, and what was not run", () => {
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    const folder = keepAttempt("train.3@2", `${lines.join("\n")}\n`);
    const command = { argv: ["cat", "in/a file"], env: { WF_TASK: "task.json" }, secrets: [] };
    writeFileSync(join(folder, "command.json"), JSON.stringify(command));
    const log = new FailureLog();
    fail(log, "train", 3, 2);
    for (const name of ["evaluate", "report", "publish"]) {
      log.note(ended(step(name), { state: "skipped", cause: { root: "train.3", message: "x" } }));
    }
    expect(failureLines(log.report(run()), NO_COLOURS)).toEqual([
      "✗ train.3 failed: exit code 1 (attempt 2 of 2)",
      ...lines.slice(-15).map((line) => `  │ ${line}`),
      `  sandbox ${folder}/sandbox`,
      `  repeat  cd '${folder}/sandbox' && env WF_TASK=task.json cat 'in/a file'`,
      "  logs    wf logs demo-1-abcd train.3",
      "",
      "evaluate was not run: train.3 failed (exit 1) (+2 others)",
    ]);
  });

  it("shows three failures in full and counts the rest", () => {
    const log = new FailureLog();
    for (let i = 0; i < 50; i++) fail(log, "train", i, 1);
    const lines = failureLines(log.report(run()), NO_COLOURS);
    expect(lines.filter((line) => line.startsWith("✗"))).toEqual([
      "✗ train.0 failed: exit code 1",
      "✗ train.1 failed: exit code 1",
      "✗ train.2 failed: exit code 1",
    ]);
    expect(lines.at(-1)).toBe(
      `47 more tasks failed: wf query "SELECT task FROM task WHERE run = 'demo-1-abcd' AND state = 'failed'"`,
    );
  });

  it("says so when nothing was printed or kept", () => {
    const log = new FailureLog();
    fail(log, "train", 0, 1);
    expect(failureLines(log.report(run()), NO_COLOURS)).toEqual([
      "✗ train.0 failed: exit code 1",
      "  it printed nothing to stderr",
      "  logs    wf logs demo-1-abcd train.0",
    ]);
  });

  it("reads only the end of a huge stderr", () => {
    keepAttempt("big@1", `${"x".repeat(1_000_000)}\nthe end\n`);
    expect(new AttemptFiles(storage, "demo-1-abcd", "big@1").tail("stderr", 15).at(-1)).toBe("the end");
  });
});

describe("the line that repeats an attempt", () => {
  it("works in a real shell, with awkward names and a secret of the one who pastes it", () => {
    const sandbox = join(storage, 'it\'s a "sandbox"');
    mkdirSync(sandbox);
    const code =
      "const { A, TOKEN, PATH } = process.env; console.log(JSON.stringify([process.cwd(), A, TOKEN, PATH, ...process.argv.slice(1)]))";
    const line = repeatLine(sandbox, {
      argv: [process.execPath, "-e", code, "--", "a b", "$HOME"],
      env: { A: "x 'y'" },
      secrets: ["TOKEN"],
      path: ["/run time/bin"],
    });
    const environment = { PATH: "/usr/bin:/bin", TOKEN: "s3cret" };
    const printed = execFileSync("sh", ["-c", line], { env: environment, encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual([sandbox, "x 'y'", "s3cret", "/run time/bin:/usr/bin:/bin", "a b", "$HOME"]);
    expect(line).not.toContain("s3cret");
  });
});
