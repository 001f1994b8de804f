/** Wrong words, wrong files, wrong parameters, wrong sites and plans: nothing runs, and the next thing to type is said. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { ErrorCode } from "@wf/protocol";
import { describe, expect, it } from "vitest";
import { type ExpectedError, expectError, finishOf, makeProject, type Project } from "./wf-project.ts";

const GREET = `
import { file, task, workflow, z } from "wf";

const greet = task({
  name: "greet",
  params: z.object({ name: z.string() }),
  outputs: { text: file("txt") },
  command: ({ params, outputs }) => ["sh", "-c", 'printf %s "$1" > "$2"', "sh", params.name, outputs.text],
});
export default workflow({
  name: "greet",
  params: z.object({ name: z.string(), times: z.number().int().default(1) }),
  build: ({ params }) => ({ text: greet({}, { name: params.name }).text }),
});
`;

interface Slip extends ExpectedError {
  readonly name: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly code: ErrorCode;
}

/** Each in a project of its own. Nothing may have run, and what was there is there as it was. */
async function misuse({ files, args, code, ...expected }: Slip): Promise<void> {
  const given = { "greet.ts": GREET, ...files };
  const project = makeProject(given);
  expectError(await project.wf([...args, "--json"]), code, expected);
  expect(project.runs()).toEqual([]);
  for (const [path, text] of Object.entries(given)) expect(project.read(path)).toBe(text);
}

describe.concurrent("a wrong command line", () => {
  it.each<Slip>([
    {
      name: "an unknown flag",
      args: ["run", "greet.ts", "--fast"],
      code: "WF_USAGE",
      says: /unknown option '--fast'/,
      next: /wf run --help/,
    },
    {
      name: "an unknown command",
      args: ["rnu", "greet.ts"],
      code: "WF_USAGE",
      says: /unknown command 'rnu'/,
      next: /did you mean run\?.*wf --help/,
    },
    {
      name: "no file at all",
      args: ["run"],
      code: "WF_USAGE",
      says: /missing argument FILE/,
      next: /wf run --help/,
    },
    {
      name: "a flag that wants a number",
      args: ["run", "greet.ts", "--retries", "often"],
      code: "WF_USAGE",
      says: /'--retries <N>'.*'often'.*whole number/,
      next: /wf run --help/,
    },
    {
      name: "a missing file",
      args: ["run", "gret.ts"],
      code: "WF_FILE_NOT_FOUND",
      says: /gret\.ts does not exist/,
      next: /greet\.ts/,
    },
    {
      name: "a folder as file",
      args: ["run", "."],
      code: "WF_FILE_NOT_FOUND",
      says: /is a folder/,
      next: /greet\.ts/,
    },
    {
      name: "a run that is not there",
      files: { ".wf/here": "" },
      args: ["resume", "greet-9"],
      code: "WF_RUN_NOT_FOUND",
      says: /no run "greet-9"/,
      next: /wf run/,
    },
    {
      name: "an unknown site",
      args: ["run", "greet.ts", "-p", "name=x", "--site", "moon"],
      code: "WF_SITE_UNKNOWN",
      says: /"moon"/,
      next: /local.*sites\.yaml/,
    },
    {
      name: "a sites.yaml that is no YAML",
      files: { "sites.yaml": "sites:\n  local: {\n" },
      args: ["run", "greet.ts", "-p", "name=x"],
      code: "WF_SITE_INVALID",
      says: /line 3/,
      where: /sites\.yaml:3$/,
      next: /docs\/sites\.md/,
    },
    {
      name: "a wrong value in sites.yaml",
      files: { "sites.yaml": "sites:\n  local:\n    resources:\n      cpus: many\n" },
      args: ["run", "greet.ts", "-p", "name=x"],
      code: "WF_SITE_INVALID",
      says: /sites\.local\.resources\.cpus.*expected number/,
      where: /sites\.yaml:4$/,
      next: /docs\/sites\.md/,
    },
    {
      name: "an unknown setting in sites.yaml",
      files: { "sites.yaml": "sites:\n  local:\n    bananas: 3\n" },
      args: ["run", "greet.ts", "-p", "name=x"],
      code: "WF_SITE_INVALID",
      says: /sites\.local.*"bananas"/,
      where: /sites\.yaml:3$/,
      next: /docs\/sites\.md/,
    },
  ])("$name", (slip) => misuse(slip));
});

describe.concurrent("a wrong workflow file", () => {
  const HEAD = 'import { file, task, workflow } from "wf";\n';
  it.each<Slip & { readonly files: { readonly "bad.ts": string } }>([
    {
      name: "throws while it is loaded",
      files: { "bad.ts": `${HEAD}const limit = 3;\nthrow new Error("no luck");\nexport default 1;\n` },
      args: ["run", "bad.ts"],
      code: "WF_WORKFLOW_THREW",
      says: /no luck/,
      where: /^bad\.ts:3$/,
      next: /correct the code/,
    },
    {
      name: "throws in build",
      files: {
        "bad.ts": `${HEAD}export default workflow({\n  name: "bad",\n  build: () => JSON.parse("{"),\n});\n`,
      },
      args: ["run", "bad.ts"],
      code: "WF_WORKFLOW_THREW",
      says: /build\(\) threw: .*JSON/,
      where: /^bad\.ts:4$/,
      next: /that line/,
    },
    {
      name: "has no default export",
      files: { "bad.ts": `${HEAD}export const mine = workflow({ name: "bad", build: () => ({}) });\n` },
      args: ["run", "bad.ts"],
      code: "WF_WORKFLOW_NO_DEFAULT",
      says: /no default export/,
      where: /^bad\.ts$/,
      next: /export default mine/,
    },
    {
      name: "exports something else",
      files: { "bad.ts": `${HEAD}export default { name: "bad" };\n` },
      args: ["run", "bad.ts"],
      code: "WF_WORKFLOW_NO_DEFAULT",
      says: /an object as its default/,
      where: /^bad\.ts$/,
      next: /export default workflow\(/,
    },
    {
      name: "cannot be read",
      files: { "bad.ts": `${HEAD}export default workflow({ name: "bad" build: () => ({}) });\n` },
      args: ["run", "bad.ts"],
      code: "WF_WORKFLOW_LOAD",
      says: /Expected "}" but found "build"/,
      where: /^bad\.ts:2:/,
      next: /correct that line/,
    },
    {
      name: "has an output that leaves its folder",
      files: {
        "bad.ts": `${HEAD}const t = task({\n  name: "t",\n  outputs: { all: file({ path: "../all" }) },\n  command: () => ["true"],\n});\nexport default workflow({ name: "bad", build: () => t({}) });\n`,
      },
      args: ["run", "bad.ts"],
      code: "WF_PATH_ESCAPE",
      says: /output "all".*"\.\.\/all"/,
      where: /task "t" \(bad\.ts:2\)/,
      next: /relative path/,
    },
  ])("$name", (slip) => misuse(slip));
});

describe.concurrent("wrong parameters", () => {
  it.each<Slip>([
    {
      name: "a missing one",
      args: ["run", "greet.ts"],
      code: "WF_PARAM_INVALID",
      says: /"name" is not given/,
      where: /greet\.ts:/,
      next: /--param name=VALUE/,
    },
    {
      name: "one of another type",
      args: ["run", "greet.ts", "-p", "name=x", "-p", "times=twice"],
      code: "WF_PARAM_INVALID",
      says: /"times".*expected number, received string/,
      where: /greet\.ts:/,
      next: /name, times/,
    },
    {
      name: "one that fits the type and not the rule",
      args: ["run", "greet.ts", "-p", "name=x", "-p", "times=1.5"],
      code: "WF_PARAM_INVALID",
      says: /"times".*int/,
      next: /name, times/,
    },
    {
      name: "an unknown one",
      args: ["run", "greet.ts", "-p", "name=x", "-p", "tiems=2"],
      code: "WF_PARAM_INVALID",
      says: /no parameter "tiems"/,
      next: /name, times/,
    },
    {
      name: "a word without a value",
      args: ["run", "greet.ts", "-p", "name"],
      code: "WF_USAGE",
      says: /--param name/,
      next: /--param epochs=8/,
    },
    {
      name: "an unknown one in a file",
      files: { "p.yaml": "name: x\ntiems: 2\n" },
      args: ["run", "greet.ts", "--params", "p.yaml"],
      code: "WF_PARAM_INVALID",
      says: /no parameter "tiems"/,
      next: /name, times/,
    },
    {
      name: "a file that is no YAML",
      files: { "p.yaml": "name: x\ntimes: [1, 2\n" },
      args: ["run", "greet.ts", "--params", "p.yaml"],
      code: "WF_PARAM_INVALID",
      says: /p\.yaml cannot be used/,
      where: /p\.yaml:\d$/,
      next: /epochs: 8/,
    },
    {
      name: "a file that holds a list",
      files: { "p.yaml": "- name\n" },
      args: ["run", "greet.ts", "--params", "p.yaml"],
      code: "WF_PARAM_INVALID",
      says: /no names and values/,
      where: /p\.yaml/,
      next: /epochs: 8/,
    },
    {
      name: "a file that is not there",
      args: ["run", "greet.ts", "--params", "p.yaml"],
      code: "WF_FILE_NOT_FOUND",
      says: /p\.yaml/,
      next: /--params/,
    },
  ])("$name", (slip) => misuse(slip));

  it("no shell reads a parameter", async () => {
    const project = makeProject({ "greet.ts": GREET });
    const text = "$(touch pwned); rm -rf '*' `touch pwned` \"&\" \n| x";
    const outcome = await project.wf(["run", "greet.ts", "-p", `name=${text}`, "--json"]);
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(readFileSync(finishOf(outcome)?.outputs.text.path, "utf8")).toBe(text);
    expect(existsSync(project.path("pwned"))).toBe(false);
    expect(project.storedFiles().filter((file) => file.endsWith("pwned"))).toEqual([]);
  });
});

describe.concurrent("a saved plan", () => {
  const COUNT = `
import { file, task, workflow } from "wf";
const count = task({
  name: "count",
  inputs: { text: file("txt") },
  outputs: { n: file() },
  command: ({ inputs, outputs }) => ["sh", "-c", 'wc -l < "$1" > "$2"', "sh", inputs.text, outputs.n],
});
export default workflow({
  name: "count",
  inputs: { text: file("txt") },
  build: ({ inputs }) => count({ text: inputs.text }),
});
`;
  const planned = async (): Promise<Project> => {
    const project = makeProject({ "count.ts": COUNT, "text.txt": "one\n" });
    const outcome = await project.wf(["plan", "count.ts", "-i", "text=text.txt", "--save", "plan.jsonl"]);
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    return project;
  };

  it("runs, and is refused when an input has changed since", async () => {
    const project = await planned();
    expect((await project.wf(["run", "plan.jsonl"])).exitCode).toBe(0);
    writeFileSync(project.path("text.txt"), "one\ntwo\n");
    expectError(await project.wf(["run", "plan.jsonl", "--json"]), "WF_PLAN_STALE", {
      says: /input "text" has changed/,
      where: /text\.txt$/,
      next: /wf plan count\.ts .*--save plan\.jsonl/,
    });
    expect(project.runs()).toHaveLength(1);
  });

  it("is refused when another version wrote it", async () => {
    const project = await planned();
    const [header = "", ...rest] = project.read("plan.jsonl").split("\n");
    const newer = JSON.stringify({ ...JSON.parse(header), version: 99 });
    project.write("plan.jsonl", [newer, ...rest].join("\n"));
    expectError(await project.wf(["run", "plan.jsonl", "--json"]), "WF_PLAN_VERSION", {
      says: /version 99/,
      where: /plan\.jsonl/,
      next: /wf plan/,
    });
    for (const never of ["/dev/zero", "pipe"]) {
      if (never === "pipe") execFileSync("mkfifo", [project.path("pipe")]);
      symlinkSync(never, project.path(`${basename(never)}.jsonl`));
      expectError(await project.wf(["run", `${basename(never)}.jsonl`, "--json"]), "WF_FILE_NOT_FOUND", {
        says: /not a regular file/,
        next: /wf plan/,
      });
    }
    project.write("notes.json", '{"hello": 1}');
    expectError(await project.wf(["run", "notes.json", "--json"]), "WF_PLAN_VERSION", {
      says: /no plan/,
      where: /notes\.json/,
      next: /wf plan/,
    });
    expect(project.runs()).toEqual([]);
  });

  it("is refused when its code is not what its hash says, before any of it runs", async () => {
    const project = await planned();
    const [header = "", ...rest] = project.read("plan.jsonl").split("\n");
    const { workflow, ...others } = JSON.parse(header);
    const code = `import { writeFileSync } from "node:fs"; writeFileSync("ran", "");\n${workflow.bundle}`;
    const changed = JSON.stringify({ ...others, workflow: { ...workflow, bundle: code } });
    project.write("plan.jsonl", [changed, ...rest].join("\n"));
    expectError(await project.wf(["run", "plan.jsonl", "--json"]), "WF_BUNDLE_CHANGED", {
      says: /count\.ts is not what was saved/,
      where: /plan\.jsonl/,
      next: /wf plan count\.ts .*--save plan\.jsonl/,
    });
    expect(existsSync(project.path("ran"))).toBe(false);
    expect(project.runs()).toEqual([]);
  });

  it("cannot be saved where no file can be", async () => {
    const project = makeProject({ "greet.ts": GREET });
    mkdirSync(project.path("folder"));
    const plan = ["plan", "greet.ts", "-p", "name=x", "--json", "--save"];
    const outcomes = await Promise.all([project.wf([...plan, "no/p.jsonl"]), project.wf([...plan, "folder"])]);
    for (const outcome of outcomes) {
      expectError(outcome, "WF_USAGE", { says: /plan cannot be written/, where: /no|folder/, next: /--save/ });
    }
  });
});
