import { readFileSync } from "node:fs";
import { localRunFolder, type Value } from "@wf/protocol";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { jobOf, outputText, putObject, recordOnStorage, shellJob, shellTask } from "../specs.ts";

/** How one task can end, and what its record says of it. */
export const outcomes: readonly ContractCase[] = [
  {
    name: "success: outputs are in the store, and the record says what they are",
    async run({ harness, open }) {
      const session = await open();
      const greeting = putObject(harness, "good morning\n", "greeting.txt");
      const script = `tr a-z A-Z < in/greeting.txt > out/loud.txt && printf '{"dice": 0.5}' > out/score.json`;
      await session.submit(
        shellJob(harness, "a1", script, {
          inputs: [{ name: "greeting", path: "in/greeting.txt", value: greeting, how: "link" }],
          outputs: [
            { name: "loud", path: "out/loud.txt", kind: "file" },
            { name: "score", path: "out/score.json", kind: "json" },
          ],
        }),
      );
      const record = await session.finished("a1");
      expect(record).toMatchObject({
        run: harness.run,
        job: "job-of-a1",
        task: "task-of-a1",
        attempt: "a1",
        state: "succeeded",
        failure: null,
        exitCode: 0,
        signal: null,
        stagedIn: { files: 1 },
        undeclared: [],
      });
      expect(outputText(harness, record, "loud")).toBe("GOOD MORNING\n");
      expect(record.outputs.score).toMatchObject({ kind: "json", value: { dice: 0.5 } });
      expect(record.endedAt).toBeGreaterThanOrEqual(record.startedAt);
      expect(recordOnStorage(harness, "a1")).toEqual(record);
    },
  },
  {
    name: "a folder: links to folders of it show what is in them, and folders that hold nothing are there for who reads it",
    async run({ harness, open }) {
      const session = await open();
      const make = "mkdir -p out/d/real out/d/empty/inner; echo 1 > out/d/real/f; ln -s real out/d/latest";
      const folder = { name: "d", path: "out/d", kind: "directory" as const };
      await session.submit(shellJob(harness, "a1", make, { outputs: [folder] }));
      const made = await session.finished("a1");
      expect(made).toMatchObject({ state: "succeeded", outputs: { d: { kind: "directory", files: 2 } } });
      const read = "(cd in/d && find . | sort) > out/found; cp -rL in/d/. out/d";
      await session.submit(
        shellJob(harness, "a2", read, {
          inputs: [{ name: "d", path: "in/d", value: made.outputs.d as Value, how: "link" }],
          outputs: [folder, { name: "found", path: "out/found", kind: "file" }],
        }),
      );
      const again = await session.finished("a2");
      expect(again).toMatchObject({ state: "succeeded", outputs: { d: made.outputs.d } });
      const paths = ["", "/empty", "/empty/inner", "/latest", "/latest/f", "/real", "/real/f"];
      expect(outputText(harness, again, "found")).toBe(paths.map((path) => `.${path}\n`).join(""));
    },
  },
  {
    name: "what is no JSON: a line of metrics is a warning, an output a failure",
    async run({ harness, open }) {
      const session = await open();
      const outputs = [{ name: "o", path: "out/o.json", kind: "json" as const }];
      await session.submit(
        shellJob(harness, "a1", `echo '{"a": 1' > "$WF_METRICS"`),
        shellJob(harness, "a2", `printf '{"a": 1' > out/o.json`, { outputs }),
      );
      const warnings = ['metrics line 1: no JSON: {"a": 1'];
      expect(await session.finished("a1")).toMatchObject({ state: "succeeded", warnings });
      expect(await session.finished("a2")).toMatchObject({
        failure: { class: "output-invalid", name: "o", message: expect.stringContaining("not valid JSON") },
      });
    },
  },
  {
    name: "a failing exit: the status is in the record and stderr is kept",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(shellJob(harness, "a1", "echo no such lung >&2; exit 7"));
      const record = await session.finished("a1");
      expect(record).toMatchObject({ state: "failed", exitCode: 7, failure: { class: "exit" }, outputs: {} });
      const stderr = localRunFolder(harness.storage, harness.run).attempt("a1").stream("stderr");
      expect(readFileSync(stderr, "utf8")).toBe("no such lung\n");
    },
  },
  {
    name: "a signal: its name is in the record",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(shellJob(harness, "a1", "kill -SEGV $$"));
      expect(await session.finished("a1")).toMatchObject({
        state: "failed",
        exitCode: null,
        signal: "SIGSEGV",
        failure: { class: "signal" },
      });
    },
  },
  {
    name: "a command that does not exist: not started, and the record names it",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(shellJob(harness, "a1", "", { argv: ["no-such-program", "--fast"] }));
      const record = await session.finished("a1");
      expect(record).toMatchObject({ state: "failed", exitCode: null, failure: { class: "not-started" } });
      expect(record.failure?.message).toContain("no-such-program");
    },
  },
  {
    name: "an output that was not written: the record names it",
    async run({ harness, open }) {
      const session = await open();
      await session.submit(
        shellJob(harness, "a1", "touch out/log.txt", {
          outputs: [
            { name: "log", path: "out/log.txt", kind: "file" },
            { name: "model", path: "out/model.pt", kind: "file" },
          ],
        }),
      );
      const record = await session.finished("a1");
      expect(record).toMatchObject({
        state: "failed",
        exitCode: 0,
        failure: { class: "output-missing", name: "model" },
        outputs: {},
      });
    },
  },
  {
    name: "an input whose content is gone: nothing is started",
    async run({ harness, open }) {
      const session = await open();
      const gone = { kind: "file", hash: "0".repeat(64), size: 3, name: "gone.txt" } as const;
      await session.submit(
        shellJob(harness, "a1", "true", { inputs: [{ name: "scan", path: "in/gone.txt", value: gone, how: "link" }] }),
      );
      const record = await session.finished("a1");
      expect(record).toMatchObject({ state: "failed", failure: { class: "stage-in", name: "scan" }, pid: null });
    },
  },
  {
    name: "odd file names: spaces, quotes, newlines and unicode go in and come out",
    async run({ harness, open }) {
      const session = await open();
      const names = ["two words", `it's "quoted"`, "new\nline", "-rf", "ünï – 肺.png", "$(touch pwned);`id`"];
      const tasks = names.map((name, index) =>
        shellTask(`odd${index}`, "", {
          argv: ["cp", "--", `in/${name}`, `out/${name}`],
          inputs: [{ name: "odd", path: `in/${name}`, value: putObject(harness, name, name), how: "copy" }],
          outputs: [{ name: "odd", path: `out/${name}`, kind: "file" }],
        }),
      );
      await session.submit(jobOf(harness, tasks));
      for (const [index, name] of names.entries()) {
        const record = await session.finished(`odd${index}`);
        expect(record).toMatchObject({ failure: null, outputs: { odd: { kind: "file", name } }, undeclared: [] });
        expect(outputText(harness, record, "odd")).toBe(name);
      }
    },
  },
];
