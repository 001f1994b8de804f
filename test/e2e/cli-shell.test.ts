/** What a person meets at the prompt: help, wrong lines, a first project, drawings, checks, completion. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATIENCE_MS } from "@wf/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WF_MAIN } from "./wf-program.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-shell-"));
  mkdirSync(join(folder, "work"));
  writeFileSync(join(folder, "work/sites.yaml"), "sites: { small: { resources: { cpus: 1 } } }\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without the colours, stores and shells of whoever runs the test. */
function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "", HOME: folder, ...env },
    timeout: PATIENCE_MS,
  });
  return { code: status, stdout, stderr };
}

function wf(args: readonly string[], cwd = join(folder, "work"), env: Record<string, string> = {}): Outcome {
  return run(process.execPath, [WF_MAIN, ...args], cwd, env);
}

describe("help", () => {
  it("shows every command in its group, and the exit codes last", () => {
    const { code, stdout, stderr } = wf(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Usage: wf COMMAND \[options\]\n/);
    expect(stdout).toMatch(/Run it:\n {2}run FILE .+\n {2}resume \[RUN\]/);
    expect(stdout.trimEnd()).toMatch(/Exit codes:\n {2}0 .+[\s\S]+\n {2}130 the run was cancelled$/);
    expect(stdout).not.toContain("complete WORDS");
    expect(wf([]).stdout).toBe(stdout);
  });

  it("shows a command with its options, those of all commands, and an example", () => {
    const { code, stdout } = wf(["logs", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: wf logs [options] [RUN] TASK");
    expect(stdout).toContain("--store <DIR>");
    expect(stdout).toMatch(/Example:\n {2}wf logs last train\n$/);
    expect(wf(["help", "logs"]).stdout).toBe(stdout);
  });

  it("prints the version", () => {
    expect(wf(["--version"]).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("ends quietly when its reader has seen enough", () => {
    const line = `'${process.execPath}' '${WF_MAIN}' complete -- '' | head -n 1; '${process.execPath}' '${WF_MAIN}' --help | true`;
    const { code, stdout, stderr } = run("sh", ["-c", line], folder);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringMatching(/^init\t.+\n$/), stderr: "" });
  });
});

describe("errors", () => {
  it("are three lines on standard error", () => {
    const { code, stdout, stderr } = wf(["run", "nowhere.ts"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^error\[WF_FILE_NOT_FOUND\]: nowhere\.ts does not exist\n {2}at: .+\n {2}next: .+\n$/);
  });

  it("are one more line on standard output with --json", () => {
    const { code, stdout, stderr } = wf(["rnu", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ type: "error", code: "WF_USAGE", hint: expect.stringContaining("run") });
    expect(stderr).toContain("error[WF_USAGE]: unknown command 'rnu'");
  });

  it("are coloured only where that is wanted", () => {
    const cwd = join(folder, "work");
    expect(wf(["rnu"], cwd, { FORCE_COLOR: "1" }).stderr).toContain("\u001b[");
    expect(wf(["rnu", "--no-color"], cwd, { FORCE_COLOR: "1" }).stderr).not.toContain("\u001b[");
    expect(wf(["rnu"], cwd, { FORCE_COLOR: "1", NO_COLOR: "1" }).stderr).not.toContain("\u001b[");
  });

  it("have the exit code of what is wrong", () => {
    writeFileSync(join(folder, "work/empty.ts"), "export const nothing = 1;\n");
    expect(wf(["graph", "empty.ts"])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("WF_WORKFLOW_NO_DEFAULT"),
    });
    expect(wf(["doctor", "--site", "moon"])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("WF_SITE_UNKNOWN"),
    });
  });
});

describe("a first project", () => {
  let project: string;
  beforeAll(() => {
    project = join(folder, "my project");
    const { code, stdout } = wf(["init", "my project"], folder);
    expect(code).toBe(0);
    expect(stdout).toContain("cd 'my project'");
  });

  it("runs as it is, and a second time from the cache", () => {
    expect(wf(["run", "workflow.ts", "--outputs", "results"], project)).toMatchObject({ code: 0 });
    expect(readFileSync(join(project, "results/report.md"), "utf8")).toContain("- part 3: 22 words\n\nTogether: 69\n");
    const last = wf(["run", "workflow.ts", "--json"], project).stdout.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ type: "run.finished", status: "succeeded" });
    expect(wf(["why", "last", "split"], project).stdout).toContain("cached");
  });

  it("has no slips", () => {
    expect(wf(["check", "workflow.ts"], project)).toMatchObject({
      code: 0,
      stdout: 'ok workflow.ts: workflow "first", 3 stages\n',
    });
  });

  it("is not overwritten", () => {
    const before = readFileSync(join(project, "workflow.ts"), "utf8");
    rmSync(join(project, "README.md"));
    const { code, stderr } = wf(["init"], project);
    expect(code).toBe(2);
    expect(stderr).toContain("workflow.ts, data/poem.txt");
    expect(stderr).toContain("wf init my-project");
    expect(existsSync(join(project, "README.md"))).toBe(false);
    expect(readFileSync(join(project, "workflow.ts"), "utf8")).toBe(before);
  });

  it("is drawn in three ways, and the drawing leaves nothing else behind", () => {
    const before = readdirSync(project);
    const svg = wf(["graph", "workflow.ts"], project).stdout;
    expect(svg).toMatch(/^<svg [\s\S]+<\/svg>\n$/);
    expect(svg).toContain('count<tspan class="count" dx="6">× n</tspan>');
    expect(wf(["graph", "workflow.ts", "--format", "mermaid"], project).stdout).toContain("flowchart TD");
    expect(wf(["graph", "workflow.ts", "--json"], project).stdout).toMatch(/^\{"title":"first"/);
    expect(readdirSync(project)).toEqual(before);
    expect(wf(["graph", "workflow.ts", "-o", "first.dot"], project)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(project, "first.dot"), "utf8")).toMatch(/^digraph "first" \{/);
    expect(wf(["graph", "workflow.ts", "-o", "first.png"], project)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("end it in .svg"),
    });
  });

  it("shows a type error where it is, in the words of the compiler and of the graph", () => {
    const wrong = readFileSync(join(project, "workflow.ts"), "utf8").replace(
      "count({ part }",
      "count({ part: inputs.text, prat: part }",
    );
    writeFileSync(join(project, "wrong.ts"), wrong);
    const line = wrong.split("\n").findIndex((text) => text.includes("prat")) + 1;
    const { code, stdout, stderr } = wf(["check", "wrong.ts"], project);
    expect(code).toBe(3);
    expect(stdout).toContain(`wrong.ts:${line}:`);
    expect(stdout).toMatch(/\n {2}\d+ \| .+prat: part.+\n {5}\| +\^\^\^\^\n/);
    expect(stdout).toContain('WF_INPUT_UNKNOWN task "count" has no input "prat"');
    expect(stderr).toContain("error[WF_TYPE_CHECK]: 1 type error in wrong.ts");
  });

  it("completes runs, tasks and files in bash", () => {
    const script = `eval "$('${process.execPath}' '${WF_MAIN}' completion bash)"
wf() { '${process.execPath}' '${WF_MAIN}' "$@"; }
try() { COMP_WORDS=(wf "$@"); COMP_CWORD=$#; _wf 2>/dev/null; echo "\${COMPREPLY[*]}"; }
try resu; try why last coun; try run workf; try run x.ts --site ""; try logs fir`;
    const [command, tasks, file, sites, runs] = run("bash", ["-c", script], project).stdout.split("\n");
    expect([command, tasks, file, sites]).toEqual(["resume", "count.0 count.1 count.2", "workflow.ts", "local"]);
    expect(runs).toMatch(/^first-2-\w+ first-1-\w+$/);
  });
});

describe("the surroundings", () => {
  it("are listed and looked at", () => {
    expect(wf(["sites"]).stdout).toMatch(/\nlocal +local +here +\d+ .+\nsmall +local +here +1 /);
    const { code, stdout } = wf(["doctor", "--json"]);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1).map(({ name }) => name)).toEqual([
      "node",
      "sqlite",
      "python",
      "tasks",
      "runtime",
      "launcher",
      "machine",
      "store",
      "disk",
      "git",
    ]);
    expect(lines.filter(({ health }) => health === "fail")).toEqual([]);
    expect(lines.at(-1)).toEqual({ type: "doctor.finished", site: "local", ok: true });
    expect(code).toBe(0);
    expect(existsSync(join(folder, "work/.wf"))).toBe(false);
  });

  it("fail the doctor with what to type", () => {
    writeFileSync(join(folder, "work/python3"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    writeFileSync(join(folder, "work/sites.yaml"), `sites: { small: { python: ${join(folder, "work/python3")} } }\n`);
    const { code, stdout } = wf(["doctor", "--site", "small"]);
    expect(code).toBe(4);
    expect(stdout).toMatch(/^fail {2}python .+\n +next: .+python/m);
    expect(stdout).toMatch(/^fail {2}launcher /m);
  });
});
