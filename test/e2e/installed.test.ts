/** What `npm run pack` makes works in a project of somebody who has no clone: types, runs, and nothing beside it. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { REPOSITORY } from "../repository.ts";
import { offerSqlite, packInto, StrangerProject } from "./stranger-project.ts";

const { version: VERSION } = JSON.parse(readFileSync(join(REPOSITORY, "packages/wf/package.json"), "utf8"));

/** So many that they are taken in by threads. */
const FILES = 3000;

const FLOW = `import { directory, file, fn, json, task, workflow, z } from "wf";

const count = task({
  name: "count",
  inputs: { texts: directory() },
  outputs: { files: json(z.number()), list: file("txt") },
  params: z.object({ suffix: z.string() }),
  command: ({ inputs, outputs, params }) => [
    "sh",
    "-c",
    'ls "$1" | grep "$2" > "$3" && wc -l < "$3" > "$4"',
    "count",
    inputs.texts,
    params.suffix,
    outputs.list,
    outputs.files,
  ],
});

const double = fn({
  name: "double",
  inputs: { files: json(z.number()) },
  outputs: { twice: json(z.number()) },
  run: ({ inputs }) => ({ twice: 2 * inputs.files }),
});

export default workflow({
  name: "flow",
  params: z.object({ suffix: z.string().default("txt") }),
  inputs: { texts: directory({ path: "texts" }) },
  build({ inputs, params }) {
    const { files, list } = count({ texts: inputs.texts }, { suffix: params.suffix });
    // @ts-expect-error a list is no number
    () => double({ files: list });
    return { twice: double({ files }).twice };
  },
});
`;

const PROGRAM = `import { openStore, plan, run, WfError } from "wf/run";

for await (const line of plan("flow.ts")) if (line.type === "totals") console.log(line.tasks);
const going = run("flow.ts", { params: { suffix: "7.txt" } });
const ended: string[] = [];
for await (const event of going) if (event.type === "task.ended") ended.push(event.state);
const { run: name, status, outputs } = await going.result;
const store = openStore();
console.log(ended.length, status, outputs.twice?.value, store.trace(name).stages.length);
store.close();
const code = await run("none.ts").result.catch((error: unknown) => error instanceof WfError && error.code);
console.log(code);
`;

const OPTIONS = { strict: true, noEmit: true, target: "ES2022", skipLibCheck: false };
const RESOLUTIONS = {
  bundler: { module: "ESNext", moduleResolution: "Bundler" },
  nodenext: { module: "NodeNext", moduleResolution: "NodeNext" },
};

const project = new StrangerProject({
  "package.json": JSON.stringify({ name: "mine", private: true, type: "module" }),
  "flow.ts": FLOW,
  "program.mts": PROGRAM,
  ...Object.fromEntries(
    Object.entries(RESOLUTIONS).map(([name, resolution]) => [
      `tsconfig.${name}.json`,
      JSON.stringify({ compilerOptions: { ...OPTIONS, ...resolution }, files: ["flow.ts", "program.mts"] }),
    ]),
  ),
  ...Object.fromEntries(Array.from({ length: FILES }, (_, n) => [`texts/${n}.txt`, `${n}\n`])),
});

let missing: string | undefined;
let installed: ReadonlyMap<string, string>;

beforeAll(async () => {
  const [tarball] = await Promise.all([packInto(project.around), offerSqlite(project)]);
  missing = await project.install(tarball);
  if (missing !== undefined) console.warn(`SKIPPED: wf installed from its tarball: no registry answers: ${missing}`);
  else installed = project.stamps("node_modules");
});
beforeEach(({ skip }) => skip(missing !== undefined, "SKIPPED: no registry answers"));
afterAll(() => rmSync(project.around, { recursive: true, force: true }));

describe("wf in a project of one's own", () => {
  it("brings what its manifest names", async () => {
    const manifest = JSON.parse(project.read("node_modules/wf/package.json"));
    expect(manifest).toMatchObject({ name: "wf", version: VERSION, license: "MIT", engines: { node: ">=20" } });
    expect(await project.npx("wf", "--version")).toMatchObject({ exitCode: 0, stdout: `${VERSION}\n` });
    for (const door of Object.keys(manifest.exports)) {
      const names = `console.log(Object.keys(await import("${join("wf", door)}")).length > 0)`;
      expect(await project.run(["node", "--input-type=module", "-e", names])).toMatchObject({ stdout: "true\n" });
    }
  });

  it("has types, however a project looks for modules", async () => {
    const compile = (name: string) => project.npx("tsc", "-p", `tsconfig.${name}.json`);
    const [...ended] = await Promise.all(Object.keys(RESOLUTIONS).map(compile));
    expect(ended.map(({ exitCode, stdout }) => ({ exitCode, stdout }))).toEqual(
      ended.map(() => ({ exitCode: 0, stdout: "" })),
    );
  });

  it("checks and runs a workflow", async () => {
    const [checked, ran] = await Promise.all([
      project.npx("wf", "check", "flow.ts"),
      project.npx("wf", "run", "flow.ts", "--outputs", "results"),
    ]);
    expect(checked, checked.stdout).toMatchObject({ exitCode: 0 });
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(project.read("results/twice.json"))).toBe(2 * FILES);
  });

  it("runs workflows from a program", async () => {
    expect(await project.npx("esbuild", "program.mts", "--outfile=program.mjs")).toMatchObject({ exitCode: 0 });
    const { exitCode, stdout, stderr } = await project.run(["node", "program.mjs"]);
    const endsWith7 = Array.from({ length: FILES }, (_, n) => n).filter((n) => n % 10 === 7).length;
    expect({ exitCode, stdout }, stderr).toEqual({
      exitCode: 0,
      stdout: `2\n2 succeeded ${2 * endsWith7} 2\nWF_FILE_NOT_FOUND\n`,
    });
  });

  it("writes a first project that runs and compiles", async () => {
    expect(await project.npx("wf", "init", "first")).toMatchObject({ exitCode: 0 });
    const [ran, compiled] = await Promise.all([
      project.run(["npx", "wf", "run", "workflow.ts", "--outputs", "results"], "first"),
      project.run(["npx", "tsc", "-p", "."], "first"),
    ]);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    expect(compiled).toMatchObject({ exitCode: 0, stdout: "" });
    expect(project.read("first/results/report.md")).not.toBe("");
  });

  it("is well, and writes nothing beside itself", async () => {
    const { exitCode, stdout } = await project.npx("wf", "doctor");
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toMatch(/^ok +sqlite .*fetched ready-made$/m);
    expect(project.stamps("node_modules")).toEqual(installed);
  });

  it("knows nothing of the repository that it was made in", async () => {
    expect(project.filesWith(REPOSITORY, "node_modules/wf")).toEqual([]);
    expect(project.filesWith(REPOSITORY, ".wf")).toEqual([]);
    expect(project.read("package-lock.json")).not.toContain(REPOSITORY);
  });

  it("says what to type where npm has not installed SQLite's native code", async () => {
    const build = project.path("node_modules/better-sqlite3/build");
    renameSync(build, `${build}-elsewhere`);
    const { exitCode, stderr } = await project.npx("wf", "runs");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 4,
      stderr: expect.stringMatching(/error\[WF_SQLITE_MISSING\][\s\S]*npm rebuild better-sqlite3/),
    });
  });
});
