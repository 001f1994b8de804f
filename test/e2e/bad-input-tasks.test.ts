/** Tasks that do not do what they declare: each failure names task, file and reason, and what had succeeded is kept. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endOf, expectError, finishOf, makeProject } from "./wf-project.ts";

/** `first` succeeds; what the others do is a parameter. `$1` is their input, `$2` to `$4` are their outputs. */
const WORKFLOW = `
import { directory, file, json, optional, task, workflow, z } from "wf";
const first = task({
  name: "first",
  outputs: { text: file("txt") },
  command: ({ outputs }) => ["sh", "-c", 'echo first > "$1"', "sh", outputs.text],
});
const second = task({
  name: "second",
  inputs: { text: file("txt") },
  params: z.object({ script: z.string() }),
  outputs: { text: file("txt"), score: json(z.object({ dice: z.number() })), more: optional(directory()) },
  metrics: ["loss"],
  command: ({ inputs, outputs, params }) => [
    "sh", "-c", params.script, "sh", inputs.text, outputs.text, outputs.score, outputs.more,
  ],
});
const absent = task({ name: "absent", inputs: { text: file("txt") }, command: () => ["no-such-program"] });
export default workflow({
  name: "bad",
  params: z.object({ scripts: z.record(z.string(), z.string()) }),
  build({ params }) {
    const { text } = first({});
    if ("absent" in params.scripts) absent({ text });
    const scripts = Object.entries(params.scripts).filter(([name]) => name !== "absent");
    const made = scripts.map(([as, script]) =>
      second({ text }, { script }, { as, ...(as === "too-long" ? { resources: { time: "1s" } } : {}) }),
    );
    return Object.fromEntries(made.map(({ text }, i) => ["text" + i, text]));
  },
});
`;

const TEXT = 'echo x > "$2"; ';
const SCORE = `echo '{"dice": 0.5}' > "$3"; `;
const LOSS = `echo '{"loss": 1}' >> "$WF_METRICS"; `;
const GOOD = TEXT + SCORE + LOSS;

const scripts = (given: Readonly<Record<string, string>>) => ["-p", `scripts=${JSON.stringify(given)}`];

describe.concurrent("a task that fails", () => {
  const CASES = [
    ["error", "echo oh no >&2; exit 3", "exit", /status 3/],
    ["absent", "", "not-started", /not found.*: no-such-program/],
    ["no-output", SCORE + LOSS, "output-missing", /output text .*out\/text\.txt/],
    ["no-json", `${TEXT + LOSS}echo '{"dice":' > "$3"`, "output-invalid", /output score .*not valid JSON/],
    [
      "other-json",
      `${TEXT + LOSS}echo '{"dice": "high"}' > "$3"`,
      "output-invalid",
      /output "score" does not fit its schema at dice: .*expected number/,
    ],
    ["no-metric", TEXT + SCORE, "output-missing", /metric "loss" was never reported.*WF_METRICS/],
    ["folder", `${SCORE + LOSS}mkdir "$2"`, "output-invalid", /output text .*not a regular file/],
    ["link", `${SCORE + LOSS}ln -s /etc/passwd "$2"`, "output-invalid", /output text .*leads out/],
    ["link-within", `${GOOD}mkdir -p "$4"; ln -s /etc "$4/all"`, "output-invalid", /output more .*leads out/],
    ["too-long", "sleep 60", "time-limit", /time limit of 1 s/],
  ] as const;

  it("names itself, the file and the reason, and takes nothing else with it", async () => {
    const project = makeProject({ "bad.ts": WORKFLOW });
    const all = scripts(Object.fromEntries([...CASES.map(([name, script]) => [name, script]), ["good", GOOD]]));
    const outcome = await project.wf(["run", "bad.ts", ...all, "--keep-going", "--json"]);
    expect(outcome.exitCode, outcome.stderr).toBe(1);
    expect(finishOf(outcome)).toMatchObject({ status: "failed", outputs: {} });
    for (const [name, , failure, message] of CASES) {
      expect(endOf(outcome, name)).toMatchObject({
        state: "failed",
        cause: { root: name, class: failure, message: expect.stringMatching(message) },
      });
    }
    expect(endOf(outcome, "good")?.state).toBe("done");

    const shown = await project.wf(["show", "last", "no-output"]);
    expect(shown.stdout).toMatch(/✗ no-output failed: output missing: .*\n(.*\n)* +logs +wf logs \S+ no-output/);

    const fixed = await project.wf(["run", "bad.ts", ...scripts({ "no-output": GOOD }), "--json"]);
    expect(fixed.exitCode, fixed.stderr).toBe(0);
    expect(endOf(fixed, "first")?.state).toBe("cached");
    expect(endOf(fixed, "no-output")?.state).toBe("cached");
  });

  it("is told with its last words, its sandbox, a line that repeats it there, and what to type next", async () => {
    const project = makeProject({ "bad.ts": WORKFLOW });
    const outcome = await project.wf(["run", "bad.ts", ...scripts({ error: "echo oh no >&2; exit 3" })]);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.stdout).toMatch(/✗ error failed: exit code 3\n {2}│ oh no\n {2}sandbox \S+\n/);
    expect(outcome.stdout).toMatch(/next .*run it again.*\n.*wf resume/);
    const line = /^ {2}repeat +(.+)$/m.exec(outcome.stdout)?.[1] ?? "";
    expect(spawnSync("sh", ["-c", line], { encoding: "utf8" })).toMatchObject({ status: 3, stderr: "oh no\n" });
  });

  it.each([
    ["memory", 'memory: "900TB"', /900000\.0 GB of memory, and the site has/],
    ["gpus", "gpus: 99", /99 of gpus, and the site has/],
  ])("by asking for more %s than the site has is refused before anything runs", async (option, resources, says) => {
    const project = makeProject({ "bad.ts": WORKFLOW.replace('time: "1s"', resources) });
    expectError(await project.wf(["run", "bad.ts", ...scripts({ "too-long": GOOD }), "--json"]), "WF_RESOURCES", {
      says,
      where: /task "too-long" \(bad\.ts:\d+\)/,
      next: new RegExp(`resources\\.${option} .*sites\\.yaml.*--site`),
    });
    expect(project.runs()).toEqual([]);
  });
});

describe.concurrent("an undeclared output", () => {
  const project = makeProject({ "bad.ts": WORKFLOW });
  const script = `${GOOD}mkdir 'more data'; echo 12345 > 'more data/core dump'`;

  it("is reported, and the run succeeds", async () => {
    const outcome = await project.wf(["run", "bad.ts", ...scripts({ second: script }), "--plain"]);
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(outcome.stdout).toMatch(/ second wrote 1 file that it does not declare: more data\/core dump \(6 B\)/);
    const [shown, json, query] = await Promise.all([
      project.wf(["show", "last", "second"]),
      project.wf(["show", "last", "second", "--json"]),
      project.wf(["query", "SELECT task FROM attempt WHERE undeclared IS NOT NULL", "--format", "csv"]),
    ]);
    expect(shown.stdout).toMatch(/not declared\n {2}more data\/core dump {2}6 B/);
    expect(json.events[0]?.attempts[0].undeclared).toEqual([{ path: "more data/core dump", size: 6 }]);
    expect(query.stdout.trim().split(/\r?\n/)).toEqual(["task", "second"]);
  });
});

describe.concurrent("a secret", () => {
  const VALUE = "correct-horse-battery-staple";
  const SECRET = `
import { file, json, secret, task, workflow, z } from "wf";
const fetch = task({
  name: "fetch",
  params: z.object({ script: z.string() }),
  outputs: { length: json(z.number()) },
  env: { TOKEN: secret("MY_TOKEN") },
  command: ({ outputs, params }) => ["sh", "-c", params.script, "sh", outputs.length],
});
export default workflow({
  name: "fetch",
  params: z.object({ script: z.string().default('printf %s "$TOKEN" | wc -c > "$1"') }),
  build: ({ params }) => fetch({}, { script: params.script }),
});
`;

  it("reaches the task, and nothing that wf writes or prints", async () => {
    const project = makeProject({ "fetch.ts": SECRET });
    const wf = (...args: string[]) => project.wf(args, { env: { MY_TOKEN: VALUE } });
    const planned = await wf("plan", "fetch.ts", "--json", "--save", "plan.jsonl");
    const good = await wf("run", "fetch.ts", "--json");
    expect(good.exitCode, good.stderr).toBe(0);
    expect(finishOf(good)?.outputs.length.value).toBe(VALUE.length);
    const failed = await wf("run", "fetch.ts", "--json", "-p", "script=exit 3");
    expect(failed.exitCode).toBe(1);
    const absent = await wf("run", "fetch.ts", "-p", "script=exec no-such-program");
    const looks = await Promise.all([
      wf("show", "last"),
      wf("show", "last", "fetch", "--json"),
      wf("why", "last", "fetch"),
    ]);
    expect(looks.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);

    for (const outcome of [planned, good, failed, absent, ...looks]) {
      expect(outcome.stdout).not.toContain(VALUE);
      expect(outcome.stderr).not.toContain(VALUE);
    }
    const written = [...project.storedFiles(), project.path("plan.jsonl")];
    expect(written.length).toBeGreaterThan(5);
    expect(written.filter((file) => readFileSync(file).includes(VALUE))).toEqual([]);
  });

  it("that is missing is asked for before anything runs", async () => {
    const project = makeProject({ "fetch.ts": SECRET });
    expectError(await project.wf(["run", "fetch.ts", "--json"]), "WF_USAGE", {
      says: /secret MY_TOKEN is not in the environment/,
      where: /task "fetch" \(fetch\.ts:\d+\)/,
      next: /export MY_TOKEN=/,
    });
    expect(project.runs()).toEqual([]);
  });

  it("of wf's own environment stays there unless a task names it", async () => {
    const project = makeProject({ "fetch.ts": SECRET });
    const env = { MY_TOKEN: VALUE, OTHER_TOKEN: "not-for-tasks" };
    const outcome = await project.wf(
      ["run", "fetch.ts", "--json", "-p", 'script=env | grep -c OTHER_TOKEN > "$1"; true'],
      { env },
    );
    expect(finishOf(outcome)?.outputs.length.value).toBe(0);
  });
});

it("an fn that throws is told with its own line, and what it printed is there", async () => {
  const flow = `import { fn, json, workflow, z } from "wf";
interface Unused { readonly never: 1 }
const glue = fn({
  name: "glue",
  outputs: { n: json(z.number()) },
  run: () => {
    console.log("looking");
    throw new TypeError("nothing there");
  },
});
export default workflow({ name: "flow", build: () => ({ n: glue({}).n }) });
`;
  const project = makeProject({ "flow.ts": flow });
  const outcome = await project.wf(["run", "flow.ts"]);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stdout).toMatch(/TypeError: nothing there\n.*flow\.ts:8:\d+\)\n(?!.*fn-worker)/);
  expect((await project.wf(["logs", "last", "glue"])).stdout).toContain("looking");
});

it("an fn that returns what JSON cannot hold has failed, and nothing else", async () => {
  const flow = `import { fn, json, workflow, z } from "wf";
const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
const made = (): unknown[] => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  return [cycle, 10n, new Map([[1, 2]]), Number.NaN, nested(300)];
};
const glue = [0, 1, 2, 3, 4].map((at) =>
  fn({ name: \`glue\${at}\`, outputs: { y: json(z.any()) }, run: () => ({ y: made()[at] }) }),
);
const fine = fn({ name: "fine", outputs: { y: json(z.any()) }, run: () => ({ y: [[1], { a: undefined }] }) });
export default workflow({
  name: "flow",
  build: () => ({ ...Object.fromEntries(glue.map((one, at) => [\`y\${at}\`, one({}).y])), fine: fine({}).y }),
});
`;
  const project = makeProject({ "flow.ts": flow });
  const outcome = await project.wf(["run", "flow.ts", "--keep-going", "--json"]);
  expect(outcome.exitCode).toBe(1);
  expect(endOf(outcome, "fine")).toMatchObject({ state: "done" });
  for (const [at, says] of ["holds itself", "is a bigint", "is a Map", "is NaN", "256 deep"].entries()) {
    expect(endOf(outcome, `glue${at}`)).toMatchObject({
      state: "failed",
      cause: { class: "output-invalid", message: expect.stringContaining(says) },
    });
  }
});

it("two functions that take and make the same keep their results apart", async () => {
  const flow = `import { fn, json, workflow, z } from "wf";
const shape = { inputs: { x: json(z.number()) }, outputs: { y: json(z.number()) } } as const;
const twice = fn({ ...shape, name: "twice", run: ({ inputs }) => ({ y: inputs.x * 2 }) });
const next = fn({ ...shape, name: "next", run: ({ inputs }) => ({ y: inputs.x + 1 }) });
export default workflow({
  name: "flow",
  params: z.object({ plus: z.number().default(0) }),
  inputs: { x: json(z.number(), { path: "x.json" }) },
  build: ({ inputs, params }) => {
    const more = fn({ ...shape, name: "more", run: ({ inputs: { x } }) => ({ y: x + params.plus }) });
    return { twice: twice(inputs).y, next: next(inputs).y, more: more(inputs).y };
  },
});
`;
  const project = makeProject({ "flow.ts": flow, "x.json": "5" });
  for (const [plus, ran] of [
    [0, 3],
    [0, 0],
    [7, 1],
  ] as const) {
    const outcome = await project.wf(["run", "flow.ts", "--json", "-p", `plus=${plus}`]);
    const finish = finishOf(outcome);
    expect(finish, outcome.stderr).toMatchObject({ status: "succeeded" });
    for (const [name, value] of Object.entries({ twice: "10", next: "6", more: String(5 + plus) })) {
      expect(readFileSync(finish?.outputs[name].path, "utf8")).toBe(value);
    }
    expect(outcome.events.filter(({ type, state }) => type === "task.ended" && state === "done")).toHaveLength(ran);
  }
});
