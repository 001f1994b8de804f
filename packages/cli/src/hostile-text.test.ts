import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WfError } from "@wf/protocol";
import { AttemptFiles } from "@wf/run";
import { lifeOf, part, readyWith, StoreFixture, step } from "@wf/run/testing";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compare } from "./commands/compare.ts";
import { logs } from "./commands/logs.ts";
import { query } from "./commands/query.ts";
import { runs } from "./commands/runs.ts";
import { show } from "./commands/show.ts";
import { status } from "./commands/status.ts";
import { trace } from "./commands/trace.ts";
import { why } from "./commands/why.ts";
import { errorLine, renderError } from "./print-error.ts";
import { type Screen, screenOf } from "./screen.ts";
import { FramePainter } from "./view/frame-painter.ts";

/** A title for the window, a cleared screen, the same with one byte, a line from its start, text turned round. */
const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u009b2J\rsucceeded\u202etxt.exe\u2066";
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const COLOURS = /\u001b\[[0-9;]*m/g;

function terminal(): { readonly screen: Screen; shown(): string } {
  let text = "";
  const stream = { isTTY: true, columns: 200, rows: 50, on: () => undefined, off: () => undefined };
  const write = (more: string) => {
    text += more;
    return true;
  };
  return { screen: screenOf({ ...stream, write } as unknown as NodeJS.WriteStream), shown: () => text };
}

let fixture: StoreFixture;
let run: string;
let earlier: string;
beforeEach(() => {
  fixture = new StoreFixture();
  [earlier, run] = [hostileRun(0.5), hostileRun(0.7)] as [string, string];
});
afterEach(() => fixture.close());

/** A task that says the worst that it can, wherever it can say something. */
function hostileRun(value: number): string {
  const run = fixture.begin({ stages: ["train"], params: { [`p${HOSTILE}`]: `${HOSTILE}${value}` } });
  const task = step("train");
  const failure = { class: "exit", message: `no ${HOSTILE}` } as const;
  fixture.note(run, [
    readyWith(task, [part("command", [HOSTILE]), part(`param ${HOSTILE}`, `${HOSTILE}${value}`)]),
    ...lifeOf(task, 100, {
      ...{
        run,
        failure,
        summary: { [HOSTILE]: HOSTILE },
        warnings: [HOSTILE],
        undeclared: [{ path: HOSTILE, size: 1 }],
      },
      metrics: [{ [`dice${HOSTILE}`]: value, [`same${HOSTILE}`]: 1 }],
    }).slice(1),
  ]);
  const files = new AttemptFiles(fixture.folder, run, "train@1");
  mkdirSync(files.folder, { recursive: true });
  for (const stream of ["stdout", "stderr"] as const)
    writeFileSync(files.stream(stream), `${HOSTILE}\n10%\r${HOSTILE}`);
  fixture.end(run, "failed", {}, { [`dice${HOSTILE}`]: value });
  return run;
}

const VIEWS: Readonly<Record<string, (screen: Screen) => Promise<unknown>>> = {
  compare: (screen) => compare([earlier, run], fixture.options, screen),
  "compare --json": (screen) => compare([earlier, run], { ...fixture.options, json: true }, screen),
  logs: (screen) => logs(run, "train", fixture.options, screen, screen),
  "logs --json": (screen) => logs(run, "train", { ...fixture.options, json: true }, screen, screen),
  query: (screen) => query(`SELECT name AS "${HOSTILE}" FROM metric`, fixture.options, screen),
  "query --format csv": (screen) => query("SELECT name FROM metric", { ...fixture.options, format: "csv" }, screen),
  "query --json": (screen) => query("SELECT name FROM metric", { ...fixture.options, json: true }, screen),
  runs: (screen) => runs(fixture.options, screen),
  show: (screen) => show(run, undefined, fixture.options, screen, screen),
  "show TASK": (screen) => show(run, "train", fixture.options, screen, screen),
  "show --json": (screen) => show(run, "train", { ...fixture.options, json: true }, screen, screen),
  status: (screen) => status(run, fixture.options, screen),
  trace: (screen) => trace(run, fixture.options, screen, screen),
  why: (screen) => why(run, "train", fixture.options, screen),
};

it.each(Object.keys(VIEWS))("wf %s shows what others wrote, and obeys none of it", async (view) => {
  const { screen, shown } = terminal();
  await VIEWS[view]?.(screen);
  expect(shown()).not.toBe("");
  expect(shown().replace(COLOURS, "")).not.toMatch(OBEYED);
});

it.each(["compare", "query"])("wf %s shows the same to a file that somebody looks at later", async (view) => {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  await VIEWS[view]?.({ ...terminal().screen, isTerminal: false, write });
  expect(text).not.toBe("");
  expect(text.replace(COLOURS, "")).not.toMatch(OBEYED);
});

it("an error that tells what a machine said obeys none of it", () => {
  const error = new WfError("WF_SITE_COMMAND", `sbatch: ${HOSTILE}\nmore`, { where: HOSTILE, hint: HOSTILE });
  for (const text of [renderError(error, true), errorLine(error), renderError(new Error(HOSTILE), false)]) {
    expect(text.replace(COLOURS, "")).not.toMatch(OBEYED);
  }
});

it("whatever is written, a terminal gets text and colours, and the cursor is moved by this program alone", () => {
  const parts = fc.array(fc.oneof(fc.constantFrom(HOSTILE, "\u001b[31m", "\u001b", "\u009b", "\r", "\n"), fc.string()));
  fc.assert(
    fc.property(parts, (all) => {
      const written = terminal();
      written.screen.write(all.join(""));
      expect(written.shown().replace(COLOURS, "")).not.toMatch(OBEYED);
      const drawn = terminal();
      new FramePainter(drawn.screen, () => undefined).draw(all);
      const ours = drawn.shown().replaceAll("\u001b[K\n", "").replace("\u001b[J", "").replace("\r", "");
      expect(ours.replace(COLOURS, "")).not.toMatch(OBEYED);
    }),
    cases(300),
  );
});

it("nothing but a screen writes to a terminal", () => {
  /** They print nothing that others wrote, or what has gone through `printable`; a worker is no terminal's. */
  const allowed = [
    "cli/src/commands/complete.ts",
    "cli/src/commands/completion.ts",
    "cli/src/main.ts",
    "run/src/executing/fn-worker.ts",
  ];
  const packages = fileURLToPath(new URL("../..", import.meta.url));
  const sources = ["cli/src", "run/src"].flatMap((room) =>
    readdirSync(join(packages, room), { recursive: true, encoding: "utf8" }).map((name) => join(room, name)),
  );
  const writes = /^(?!\s*\*).*(?:process\.std(?:out|err)\.write|console\.(?:log|error|warn)\()/m;
  const writers = sources.filter(
    (name) => /(?<!\.test)\.ts$/.test(name) && writes.test(readFileSync(join(packages, name), "utf8")),
  );
  expect(writers.toSorted()).toEqual(allowed);
});
