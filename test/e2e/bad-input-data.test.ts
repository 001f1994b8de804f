/** Inputs that are not there, not readable, not whole, or changed; and names that no program should trip over. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { WF_MAIN } from "./wf-program.ts";
import { endOf, expectError, finishOf, makeProject, type Project } from "./wf-project.ts";

/** The script of its one task is a parameter: `$1` is the input, `$2` the output. */
const COPY = `
import { file, task, workflow, z } from "wf";
const copy = task({
  name: "copy",
  inputs: { text: file("txt") },
  params: z.object({ script: z.string() }),
  outputs: { text: file("txt") },
  command: ({ inputs, outputs, params }) => ["sh", "-c", params.script, "sh", inputs.text, outputs.text],
});
export default workflow({
  name: "copy",
  inputs: { text: file("txt") },
  params: z.object({ script: z.string().default('cat "$1" > "$2"') }),
  build: ({ inputs, params }) => copy({ text: inputs.text }, { script: params.script }),
});
`;

const PAIRS = `
import { dataset, file, task, workflow } from "wf";
const scans = dataset({ image: file("png"), mask: file("png") });
const list = task({
  name: "list",
  inputs: { scans },
  outputs: { names: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'ls -R "$1" > "$2"', "sh", inputs.scans, outputs.names],
});
export default workflow({ name: "pairs", inputs: { scans }, build: ({ inputs }) => list({ scans: inputs.scans }) });
`;

describe.concurrent("an input", () => {
  const project = makeProject({ "copy.ts": COPY, "text.txt": "hello\n" });
  const run = (...args: string[]) => project.wf(["run", "copy.ts", "--json", ...args]);

  it("of an unknown name", async () => {
    expectError(await run("-i", "txet=text.txt"), "WF_INPUT_UNKNOWN", {
      says: /"copy" has no input "txet"/,
      next: /text/,
    });
    for (const name of ["constructor", "__proto__"]) {
      expectError(await run("-i", `${name}=text.txt`), "WF_INPUT_UNKNOWN", {
        says: new RegExp(`no input "${name}"`),
        next: /text/,
      });
    }
  });

  it("that is not given", async () => {
    expectError(await run(), "WF_INPUT_MISSING", { says: /input "text"/, next: /--input text=PATH/ });
  });

  it("that does not exist", async () => {
    expectError(await run("-i", "text=no such.txt"), "WF_INPUT_UNREADABLE", {
      says: /no such\.txt.*does not exist/,
      where: /no such\.txt$/,
      next: /ls -l/,
    });
  });

  it("that is a folder", async () => {
    expectError(await run("-i", "text=."), "WF_INPUT_UNREADABLE", {
      says: /is a folder, and a file is wanted/,
      next: /ls -ld/,
    });
  });

  it("that is a dataset whose rows are not whole", async () => {
    const pairs = makeProject({
      "pairs.ts": PAIRS,
      "scans/image/a.png": "a",
      "scans/image/b.png": "b",
      "scans/mask/a.png": "a",
    });
    const wf = () => pairs.wf(["run", "pairs.ts", "-i", "scans=scans", "--json"]);
    expectError(await wf(), "WF_DATASET_INVALID", {
      says: /"image\/b\.png" has no partner in column "mask"/,
      where: /scans$/,
      next: /same stem/,
    });
    expect(pairs.runs()).toEqual([]);
    pairs.write("scans/mask/b.png", "b");
    expect((await wf()).exitCode).toBe(0);
  });

  it("with a link that leads out of it", async () => {
    const pairs = makeProject({ "pairs.ts": PAIRS, "scans/image/a.png": "a", "secret.png": "mine" });
    mkdirSync(pairs.path("scans/mask"));
    symlinkSync("../../secret.png", pairs.path("scans/mask/a.png"));
    expectError(await pairs.wf(["run", "pairs.ts", "-i", "scans=scans", "--json"]), "WF_PATH_ESCAPE", {
      says: /leads out of the input/,
      where: /scans$/,
      next: /Put the file itself there/,
    });
  });
});

describe.concurrent("an input that the task changed", () => {
  it.each([
    ["in place", 'chmod u+w "$1"; echo more >> "$1"; cat "$1" > "$2"'],
    ["by another file", 'rm "$1"; echo other > "$1"; cat "$1" > "$2"'],
  ])("%s", async (_, script) => {
    const project = makeProject({ "copy.ts": COPY, "text.txt": "hello\n" });
    const run = (...args: string[]) => project.wf(["run", "copy.ts", "-i", "text=text.txt", "--json", ...args]);
    const changed = await run("-p", `script=${script}`);
    expect(changed.exitCode).toBe(1);
    expect(endOf(changed, "copy")).toMatchObject({
      state: "failed",
      cause: { class: "input-changed", message: expect.stringMatching(/input text \(in\/text\/text\.txt\)/) },
    });
    expect(project.read("text.txt")).toBe("hello\n");
    const second = await run();
    expect(second.exitCode, second.stderr).toBe(0);
    expect(readFileSync(finishOf(second)?.outputs.text.path, "utf8")).toBe("hello\n");
  });
});

describe("somebody else's files", () => {
  const NOBODY = 65534;
  const through = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];
  const isRoot = process.getuid?.() === 0;
  /** Root reads everything, so the program runs as another user; anybody else takes the right from themselves. */
  const options = isRoot ? { through } : {};
  const canBeAnother =
    !isRoot || spawnSync(through[0] as string, [...through.slice(1), process.execPath, WF_MAIN]).status === 0;
  const skipReason = "SKIPPED: as root, unreadable files need setpriv and a checkout that others may read";

  const owned = (project: Project) => {
    if (isRoot) chownSync(project.folder, NOBODY, NOBODY);
    return project;
  };

  it("a sites.yaml in a parent folder: its programs are not run", async ({ skip }) => {
    skip(!isRoot, "SKIPPED: only root can give a file away");
    const project = makeProject({ "inner/copy.ts": COPY, "inner/text.txt": "mine\n", "theirs.sh": "" });
    project.write("theirs.sh", `#!/bin/sh\ntouch ${project.path("was-run")}\n`);
    chmodSync(project.path("theirs.sh"), 0o755);
    project.write("sites.yaml", `sites: { local: { python: ${project.path("theirs.sh")} } }\n`);
    chownSync(project.path("sites.yaml"), NOBODY, NOBODY);
    const copy = ["run", "inner/copy.ts", "-i", "text=inner/text.txt", "--json"];
    expectError(await project.wf(copy), "WF_PROJECT_FOREIGN", {
      says: /belongs to another user \(65534\)/,
      where: /sites\.yaml$/,
      next: /export WF_TRUST=.*mkdir -m 700/,
    });
    expect(existsSync(project.path("was-run"))).toBe(false);
    expect(existsSync(project.path(".wf"))).toBe(false);
  });

  it("an unreadable input", async ({ skip }) => {
    skip(!canBeAnother, skipReason);
    const project = owned(makeProject({ "copy.ts": COPY, "text.txt": "mine\n", "other.txt": "yours\n" }));
    chmodSync(project.path("text.txt"), 0);
    const run = (text: string) => project.wf(["run", "copy.ts", "-i", `text=${text}`, "--json"], options);
    expectError(await run("text.txt"), "WF_INPUT_UNREADABLE", {
      says: /text\.txt.*no permission/,
      where: /text\.txt$/,
      next: /chmod u\+rX/,
    });
    expect(project.runs()).toEqual([]);
    const other = await run("other.txt");
    expect(other.exitCode, other.stderr).toBe(0);
  });

  it("a folder of PATH that may not be entered is passed over", async ({ skip }) => {
    skip(!canBeAnother, skipReason);
    const project = owned(makeProject({ "copy.ts": COPY, "text.txt": "hello\n", "locked/python3": "" }));
    chmodSync(project.path("locked"), 0);
    const env = { PATH: `${project.path("locked")}:${process.env.PATH}` };
    const outcome = await project.wf(["run", "copy.ts", "-i", "text=text.txt"], { ...options, env });
    chmodSync(project.path("locked"), 0o755);
    expect(outcome.exitCode, outcome.stderr).toBe(0);
  });

  it("a project that may not be written to", async ({ skip }) => {
    skip(!canBeAnother, skipReason);
    const project = makeProject({ "copy.ts": COPY, "text.txt": "hello\n" });
    chmodSync(project.folder, 0o555);
    const outcome = await project.wf(["run", "copy.ts", "-i", "text=text.txt", "--json"], options);
    expectError(outcome, "WF_STORE_OPEN", { says: /permission denied/, where: /\.wf/, next: /--store/ });
    expect(readdirSync(project.folder).sort()).toEqual(["copy.ts", "text.txt"]);
    chmodSync(project.folder, 0o755);
  });
});

describe("strange file names", () => {
  const NAMES = [
    "a b.txt",
    `it's "so".txt`,
    "two\nlines.txt",
    "größe-数据-🫁.txt",
    "-n.txt",
    "$HOME;`id`&.txt",
    "#x%41\\n.txt",
  ];
  const OUTPUT = `-o "my" 'own'\nüñ.txt`;
  const WORKFLOW = `
import { dataset, directory, file, many, task, workflow } from "wf";
const pair = dataset({ image: file("txt"), mask: file("txt") });
const pass = task({
  name: "pass",
  inputs: { one: file("txt"), folder: directory(), pairs: pair },
  outputs: { one: file("txt", { path: ${JSON.stringify(OUTPUT)} }), folder: directory(), pairs: pair },
  command: ({ inputs, outputs }) => [
    "sh", "-c", 'cp -- "$1" "$4" && cp -r "$2/." "$5" && cp -r "$3/." "$6"', "sh",
    inputs.one, inputs.folder, inputs.pairs, outputs.one, outputs.folder, outputs.pairs,
  ],
});
const each = task({
  name: "each",
  inputs: { text: file() },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'printf "%s|" "\${1##*/}" > "$2"; cat "$1" >> "$2"', "sh", inputs.text, outputs.text],
});
const gather = task({
  name: "gather",
  inputs: { all: many(file("txt")) },
  outputs: { all: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'o=$1; shift; cat "$@" > "$o"', "sh", outputs.all, inputs.all],
});
export default workflow({
  name: "names",
  inputs: { one: file("txt"), folder: directory(), pairs: pair },
  build({ inputs }) {
    const passed = pass(inputs);
    const rows = passed.pairs.rows().map(({ image, mask }) => each({ text: image }));
    const files = passed.folder.files().map((text) => each({ text }, {}, { as: "each-file" }));
    return { ...passed, files: gather({ all: files.text }).all, rows: gather({ all: rows.text }, {}, { as: "gather-rows" }).all };
  },
});
`;

  it("go through inputs, outputs, folders and datasets", async () => {
    const project = makeProject({ "names.ts": WORKFLOW });
    for (const name of NAMES) {
      project.write(join("data", "deep folder", name), `folder ${name}`);
      project.write(join("pairs", "image", name), `image ${name}`);
      project.write(join("pairs", "mask", name), `mask ${name}`);
    }
    const one = project.write("data/-one 'file'\n.txt", "one");
    const inputs = [`one=${one}`, `folder=${project.path("data")}`, `pairs=${project.path("pairs")}`];
    const args = [
      "run",
      "names.ts",
      ...inputs.flatMap((input) => ["-i", input]),
      "-o",
      "the 'results'\nhere",
      "--json",
    ];
    const outcome = await project.wf(args);
    expect(outcome.exitCode, outcome.stderr).toBe(0);

    const { outputs } = finishOf(outcome) ?? {};
    expect(readFileSync(outputs.one.path, "utf8")).toBe("one");
    expect(treeOf(outputs.folder.path)).toEqual(treeOf(project.path("data")));
    const results = treeOf(outputs.pairs.path);
    for (const [path, text] of Object.entries(treeOf(project.path("pairs")))) expect(results[path]).toBe(text);
    const folderFiles = [...NAMES.map((name) => `${name}|folder ${name}`), "-one 'file'\n.txt|one"];
    expect(pieces(readFileSync(outputs.files.path, "utf8"), folderFiles)).toBe("");
    expect(
      pieces(
        readFileSync(outputs.rows.path, "utf8"),
        NAMES.map((name) => `${name}|image ${name}`),
      ),
    ).toBe("");

    const again = await project.wf(args);
    const states = again.events.filter(({ type }) => type === "task.ended").map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set(["cached"]));
    const shown = await project.wf(["show", "last", "pass"]);
    expect(shown.exitCode, shown.stderr).toBe(0);
  });

  it("a name that is no UTF-8 is refused, and said", async ({ skip }) => {
    skip(process.platform !== "linux", "SKIPPED: this file system keeps no such name");
    const project = makeProject({ "pairs.ts": PAIRS });
    mkdirSync(project.path("scans/image"), { recursive: true });
    writeFileSync(
      Buffer.concat([Buffer.from(`${project.path("scans/image")}/`), Buffer.from([0x66, 0xfc, 0x72])]),
      "x",
    );
    expectError(await project.wf(["run", "pairs.ts", "-i", "scans=scans", "--json"]), "WF_INPUT_UNREADABLE", {
      says: /not valid UTF-8/,
      where: /scans\/image$/,
      next: /Rename the file/,
    });
  });
});

/** What is left of a text when every piece, in whatever order, has been taken out of it. */
function pieces(text: string, expected: readonly string[]): string {
  return expected.reduce((rest, piece) => {
    expect(rest).toContain(piece);
    return rest.replace(piece, () => "");
  }, text);
}

function treeOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = entries.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
