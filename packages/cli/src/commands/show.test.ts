import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AttemptFiles, outputFolder, shortPath } from "@wf/run";
import { ended, finished, lifeOf, part, readyWith, StoreFixture, started, step, submitted } from "@wf/run/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { show } from "./show.ts";

let fixture: StoreFixture;
beforeEach(() => {
  fixture = new StoreFixture();
});
afterEach(() => fixture.close());

const file = { kind: "file", hash: "b".repeat(64), size: 2000, name: "report.csv" } as const;
const failure = { class: "exit", message: "the command ended with exit status 3", exitCode: 3 } as const;

describe("show RUN", () => {
  it("tells status, parameters, stages, outputs with paths, and metrics with sparklines", async () => {
    const run = fixture.begin({ stages: ["train"], params: { epochs: 8 } });
    const metrics = [1, 2, 3, 8].map((loss) => ({ loss }));
    fixture.note(run, lifeOf(step("train"), 100, { run, metrics, outputs: { report: file } }));
    const folder = outputFolder(fixture.folder, run);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "report.csv"), "x");
    fixture.end(run, "succeeded", { report: file }, { dice: 0.912345678 });
    const screen = new CapturedScreen();
    await show(undefined, undefined, fixture.options, screen);
    expect(screen.lines[0]).toMatch(new RegExp(`^${run}  succeeded  `));
    expect(screen.text).toContain("  params    epochs=8\n");
    expect(screen.text).toContain("  git       not in a repository\n");
    expect(screen.text).toMatch(/✓ train .* 1\/1 {2}2.00s/);
    expect(screen.text).toContain(`  report  ${folder}/report.csv  2.00 kB\n`);
    expect(screen.text).toContain("  dice  0.912346\n");
    expect(screen.text).toContain(
      ["  task   metric  first  last  best  at", "  train  loss        1     8   ↓ 1   0  ▁▂▃█", ""].join("\n"),
    );
  });

  it("does not take for complete what a run that ended early never came to", async () => {
    const run = fixture.begin({ stages: ["list", "train", "report"] });
    fixture.note(run, lifeOf(step("list"), 1, { run }));
    fixture.note(run, lifeOf(step("train", 0), 1, { run, attempt: "train.0@1" }));
    fixture.end(run, "stopped");
    const screen = new CapturedScreen();
    await show(run, undefined, fixture.options, screen);
    expect(screen.text).toMatch(/✓ list .* 1\/1 /);
    expect(screen.text).toMatch(/ {4}train .* 1\/1\+ /);
    expect(screen.text).toMatch(/ {4}report .* 0\/\?\n/);
  });

  it("says when an output is no longer there", async () => {
    const run = fixture.begin({ stages: [] });
    fixture.end(run, "succeeded", { report: file });
    const screen = new CapturedScreen();
    await show(run, undefined, fixture.options, screen);
    expect(screen.text).toContain("report.csv  2.00 kB  no longer there");
  });

  it("shows the spread of a metric over many tasks", async () => {
    const run = fixture.begin({ stages: ["train"] });
    for (let i = 0; i < 8; i++) {
      const attempt = `train.${i}@1`;
      fixture.note(run, lifeOf(step("train", i), 1, { run, attempt, metrics: [{ dice: i / 10 }] }));
    }
    const screen = new CapturedScreen();
    await show(run, undefined, fixture.options, screen);
    expect(screen.text).toContain(
      [
        "  stage            metric  lowest  mean  highest",
        "  train (8 tasks)  dice         0  0.35      0.7  ▁▂▃▄▅▆▇█",
        "",
      ].join("\n"),
    );
  });

  it("tells the root cause of a failure and what it held up", async () => {
    const run = fixture.begin({ stages: ["check", "publish"] });
    const task = step("check");
    fixture.note(run, [
      readyWith(task, [part("command", ["x"])]),
      ...submitted(task),
      started(task, 1),
      finished(task, { run, failure }),
      ended(task, { state: "failed", cause: { root: "check", class: "exit", message: failure.message } }),
      ended(step("publish"), { state: "skipped", cause: { root: "check", message: failure.message } }),
    ]);
    const files = new AttemptFiles(fixture.folder, run, "check@1");
    mkdirSync(join(files.folder, "sandbox"), { recursive: true });
    writeFileSync(files.stream("stderr"), "boom\n");
    fixture.end(run, "failed");
    const screen = new CapturedScreen();
    await show(run, undefined, fixture.options, screen);
    expect(screen.text).toContain(
      ["✗ check failed: exit code 3", "  │ boom", `  sandbox ${files.folder}/sandbox`].join("\n"),
    );
    expect(screen.text).toContain("publish was not run: check failed (exit 3)\n");
    const json = new CapturedScreen();
    await show(run, undefined, { ...fixture.options, json: true }, json);
    expect(json.json).toMatchObject([
      { run, status: "failed", failures: { failed: 1, failures: [{ task: "check", message: "exit code 3" }] } },
    ]);
  });
});

describe("show RUN TASK", () => {
  it("tells of jobs that did not come to it, and that they cost nothing", async () => {
    const run = fixture.begin({ stages: ["train"] });
    const task = step("train");
    const unreached = { class: "not-reached", message: "its job ended before its turn came: out of time" } as const;
    fixture.note(run, [
      readyWith(task, []),
      ...submitted(task),
      finished(task, { run, failure: unreached, wallSeconds: 0 }),
      { type: "task.unreached", task: "train", attempt: "train@1", message: unreached.message },
      ...submitted(task, 2),
      finished(task, { run, attempt: "train@2" }),
      ended(task, { state: "done", outputs: {} }),
    ]);
    const screen = new CapturedScreen();
    await show(run, "train", fixture.options, screen);
    expect(screen.text).toContain("not reached  once, at no cost: its job ended before its turn came: out of time");
  });

  it("tells of every rank of a distributed task, and what the one said that failed first", async () => {
    const run = fixture.begin({ stages: ["train"] });
    const task = step("train");
    const why = { ...failure, message: "rank 1 of 2 on c2: the command ended with exit status 3", rank: 1 };
    fixture.note(run, [
      readyWith(task, []),
      ...submitted(task),
      started(task, 1),
      finished(task, { run, failure: why, rankHosts: ["c1", "c2"] }),
      ended(task, { state: "failed", cause: { root: "train", class: "exit", message: why.message } }),
    ]);
    const files = new AttemptFiles(fixture.folder, run, "train@1");
    mkdirSync(join(files.folder, "ranks"), { recursive: true });
    writeFileSync(files.stream("stderr", 1), "no data on c2\n");
    const screen = new CapturedScreen(100);
    await show(run, "train", fixture.options, screen);
    expect(screen.text).toMatch(/ranks\n +rank +host +ended .*\n +0 +c1 +exit 0 .*\n +1 +c2 +exit 1, first /);
    expect(screen.text).toContain(`train failed: ${why.message}\n  │ no data on c2\n`);
    expect(screen.text).toContain(`wf logs ${run} train --rank 1\n`);
    const json = new CapturedScreen();
    await show(run, "train", { ...fixture.options, json: true }, json);
    expect(json.json).toMatchObject([{ attempts: [{ ranks: [{ host: "c1" }, { host: "c2", isCause: true }] }] }]);
  });

  it("tells state, parameters, inputs, outputs, attempts, and resources asked against used", async () => {
    const run = fixture.begin({ stages: ["train"], resources: { cpus: 8, memoryBytes: 8e9, timeLimitSeconds: 3600 } });
    const task = step("train", 3);
    const usage = { cpuPercent: 190, peakMemoryBytes: 1.1e9 };
    const life = lifeOf(task, 100, { run, wallSeconds: 30, usage, outputs: { model: { ...file, name: "model.pt" } } });
    fixture.note(run, [
      readyWith(task, [part("param lr", 0.1)], { data: { ...file, name: "train.csv" } }),
      ...life.slice(1),
    ]);
    const before = new CapturedScreen();
    await show(run, "train.3", fixture.options, before);
    expect(before.text).toContain("  model  model.pt  2.00 kB  not in this store; made on local\n");
    mkdirSync(join(fixture.folder, "objects", "bb"), { recursive: true });
    writeFileSync(join(fixture.folder, "objects", "bb", "b".repeat(64)), "model");
    const screen = new CapturedScreen();
    await show(run, "train.3", fixture.options, screen);
    const lines = screen.lines.map((line) => line.trimEnd());
    expect(lines[0]).toBe("train.3  done");
    expect(lines).toContain("  params  lr=0.1");
    expect(lines).toContain("  data  file  2.00 kB  bbbbbbbbbbbb");
    expect(screen.text).toContain(`  model  model.pt  2.00 kB  ${fixture.folder}/objects/bb/${"b".repeat(64)}\n`);
    expect(screen.text).toMatch(/ 1 {2}succeeded +\S+ +30.0s +190 % +1.10 GB +1.00 MB +2.00 MB +node1/);
    expect(lines).toContain("  cpus          8     1.90  better: cpus: 2");
    expect(lines).toContain('  memory  8.00 GB  1.10 GB  better: memory: "1.4GB"');
    expect(lines).toContain('  time     1h 00m    30.0s  better: time: "1m"');
  });

  it("draws its metrics by step, lists its pictures, and says what made no sense", async () => {
    const run = fixture.begin({ stages: ["train"] });
    const losses = [9, 5, 3, 2, 1, 1.5];
    const metrics = losses.map((loss, epoch) => ({ step: 10 * (epoch + 1), loss, val_dice: 1 - loss / 10 }));
    const picture = (step: number) => ({
      name: "prediction",
      step,
      path: "p.png",
      file: { ...file, size: 3000, name: `prediction-${step}.png` },
    });
    const reports = {
      metrics: [...metrics, { grade: "good", loss: "NaN" }],
      pictures: [picture(10), picture(60)],
      summary: { classes: ["lung", "none"], best_epoch: 5 },
      warnings: ["metrics line 7: loss is NaN"],
    };
    fixture.note(run, lifeOf(step("train"), 100, { run, ...reports }));
    const screen = new CapturedScreen(80);
    await show(run, "train", fixture.options, screen);
    const folder = new AttemptFiles(fixture.folder, run, "train@1").pictures;
    expect(screen.text).toContain(
      [
        "metrics",
        "  metric    first  last   best  at",
        "  loss          9   NaN    ↓ 1  50  █▅▃▂▁▁",
        "  val_dice    0.1  0.85  ↑ 0.9  50  ▁▅▆███",
        "  grade            good",
        "",
        "summary",
        '  classes     ["lung","none"]',
        "  best_epoch  5",
        "",
        "pictures",
        `  ${shortPath(folder)}`,
        "  prediction-10.png  prediction  step 10  3.00 kB",
        "  prediction-60.png  prediction  step 60  3.00 kB",
        "",
        "warnings",
        "  metrics line 7: loss is NaN",
        "",
      ].join("\n"),
    );
    const json = new CapturedScreen();
    await show(run, "train", { ...fixture.options, json: true }, json);
    expect(json.json).toMatchObject([
      {
        series: [
          { name: "loss", first: 9, last: "NaN", best: { value: 1, step: 50, end: "lowest" } },
          { name: "val_dice", points: expect.arrayContaining([{ step: 60, value: 0.85 }]) },
          { name: "grade", first: "good", best: null },
        ],
        pictures: [{ path: join(folder, "prediction-10.png"), step: 10 }, { sizeBytes: 3000 }],
        summary: { best_epoch: 5 },
        warnings: ["metrics line 7: loss is NaN"],
      },
    ]);
    const whole = new CapturedScreen();
    await show(run, undefined, fixture.options, whole);
    expect(whole.text).toContain(`\npictures\n  train  2 prediction\n    ${shortPath(folder)}\n`);
    expect(whole.text).toContain("\nwarnings\n  train: metrics line 7: loss is NaN\n");
    expect(whole.text).toContain(
      '\nsummaries of tasks\n  train  classes     ["lung","none"]\n  train  best_epoch  5\n',
    );
    const next = fixture.begin({ stages: ["train"] });
    fixture.note(next, [ended(step("train"), { state: "cached", cachedFrom: { run, task: "train" } })]);
    const cached = new CapturedScreen();
    await show(next, undefined, fixture.options, cached);
    expect(cached.text).toContain(`\npictures\n  train  2 prediction\n    ${shortPath(folder)}\n`);
    expect(cached.text).toContain("  train  best_epoch  5\n");
  });

  it("names the files that the task wrote and did not declare", async () => {
    const run = fixture.begin({ stages: ["train"] });
    const undeclared = Array.from({ length: 25 }, (_, i) => ({ path: `dump\n${i}`, size: 5 }));
    fixture.note(run, lifeOf(step("train"), 100, { run, undeclared }));
    const screen = new CapturedScreen();
    await show(run, "train", fixture.options, screen);
    expect(screen.text).toContain("\nwritten, and not declared\n  dump\\n0  5 B\n");
    expect(screen.text).toContain("  dump\\n19  5 B\n  … and 5 more\n");
  });

  it("says where a cached task came from and why another was not run", async () => {
    const run = fixture.begin({ stages: ["a", "b"] });
    const cause = { root: "a", class: "exit", message: "no" } as const;
    fixture.note(run, [
      ended(step("a", 0), { state: "cached", cachedFrom: { run: "demo-0-zzzz", task: "a.0" } }),
      ended(step("b"), { state: "skipped", cause }),
    ]);
    const cached = new CapturedScreen();
    await show(run, "a.0", fixture.options, cached);
    expect(cached.text).toContain("  cached from  demo-0-zzzz a.0\n");
    const skipped = new CapturedScreen();
    await show(run, "b", fixture.options, skipped);
    expect(skipped.text).toContain("  not run  a failed: no\n");
    expect(skipped.text).not.toContain("attempts");
  });

  it("looks into the last run for a word that fits no run", async () => {
    const run = fixture.begin({ stages: ["train"] });
    fixture.note(run, lifeOf(step("train", 3), 1, { run, attempt: "train.3@1" }));
    const [task, stage] = [new CapturedScreen(), new CapturedScreen()];
    await show("train.3", undefined, fixture.options, task);
    expect(task.lines[0]).toBe("train.3  done");
    await show("train", undefined, fixture.options, stage);
    expect(stage.lines[0]).toBe(`train  1 task of ${run}`);
    const refused = show("train.4", undefined, fixture.options, stage);
    await expect(refused).rejects.toMatchObject({ code: "WF_RUN_NOT_FOUND" });
  });

  it("refuses a task that is not there", async () => {
    const run = fixture.begin({ stages: ["train"] });
    const screen = new CapturedScreen();
    await expect(show(run, "tarin", fixture.options, screen)).rejects.toMatchObject({ code: "WF_TASK_NOT_FOUND" });
  });
});

describe("show RUN STAGE", () => {
  it("lists the tasks of a stage, those that failed first", async () => {
    const run = fixture.begin({ stages: ["train"] });
    for (let i = 0; i < 60; i++) {
      fixture.note(run, lifeOf(step("train", i), 1, { run, attempt: `train.${i}@1`, metrics: [{ dice: 0.5 }] }));
    }
    fixture.note(run, [ended(step("train", 60), { state: "failed" })]);
    const screen = new CapturedScreen();
    await show(run, "train", fixture.options, screen);
    expect(screen.lines[0]).toBe(`train  61 tasks of ${run}`);
    expect(screen.lines[1]).toMatch(/^ {2}task +state +tries +ran +memory +dice$/);
    expect(screen.lines[2]).toBe("  train.60  failed");
    expect(screen.lines[3]).toMatch(/^ {2}train\.0 +done +1 +2\.00s +50\.0 MB +0\.5$/);
    expect(screen.lines).toHaveLength(54);
    expect(screen.text).toContain("… and 11 more tasks");
    expect(screen.lines.at(-1)).toBe(`  next  wf show ${run} train.60`);
    const json = new CapturedScreen();
    await show(run, "train", { ...fixture.options, json: true }, json);
    expect(json.json).toMatchObject([{ stage: "train", total: 61 }]);
  });
});
