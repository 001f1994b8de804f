import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ErrorCode, WfError } from "@wf/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProject } from "../project.ts";
import { loadBundle } from "./load-bundle.ts";
import { inspectWorkflow, loadWorkflow } from "./load-workflow.ts";
import type { LoadedWorkflow } from "./loaded-workflow.ts";

let parent: string;
let projects = 0;
beforeAll(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), "wf-load (1) ")));
});
afterAll(() => rmSync(parent, { recursive: true }));

/** A project of its own, whose name holds what a path may hold. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const root = join(parent, `p ${++projects}`);
  mkdirSync(join(root, ".wf"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

function load(root: string, file = "flow.ts"): Promise<LoadedWorkflow> {
  return loadWorkflow(join(root, file), findProject(join(root, file), undefined));
}

async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<WfError> {
  try {
    await (typeof work === "function" ? work() : work);
  } catch (error) {
    if (error instanceof WfError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

const COUNT = `import { file, json, task, z } from "wf";

interface Unused { readonly never: "there" }

export const count = task({
  name: "count",
  inputs: { text: file("txt") },
  outputs: { words: json(z.number()) },
  command: ({ inputs, outputs }) => ["count", inputs.text, outputs.words],
});
`;

describe("a workflow file", () => {
  it("loads with relative imports and without its types", async () => {
    const root = projectOf({
      "flows/flow.ts": `import { file, workflow } from "wf";
import { z } from "zod";
import type { Nowhere } from "./not-there.ts";
import { count } from "../tasks/count.ts";
type Params = { readonly least: number };
const least: Params["least"] = 3;
export default workflow({
  name: "counting",
  params: z.object({ least: z.number().default(least) }),
  inputs: { text: file("txt") },
  build: ({ inputs }) => ({ words: count({ text: inputs.text } satisfies object as never).words as never as Nowhere }),
});
`,
      "tasks/count.ts": COUNT,
    });
    const loaded = await load(root, "flows/flow.ts");
    expect(loaded).toMatchObject({ name: "counting", file: "flows/flow.ts" });
    const graph = loaded.workflow.toGraph();
    expect(graph.params).toEqual({ least: 3 });
    expect(graph.nodes.get("count")?.at).toEqual({ file: "flows/flow.ts", line: 11 });
    expect(readdirSync(join(root, ".wf/bundles"))).toEqual([`${loaded.hash}.mjs`]);
  });

  it("gives the same bundle in any folder, and no path of this machine", async () => {
    const files = { "flow.ts": flowWith("return { words: count({ text: inputs.text }).words };"), "count.ts": COUNT };
    const [one, two] = [await load(projectOf(files)), await load(projectOf(files))];
    expect(one.hash).toBe(two.hash);
    expect(Buffer.from(one.bundle.split("base64,")[1] ?? "", "base64").toString()).not.toContain(parent);
    expect(one.bundle).not.toContain(parent);
  });

  it("comes back from its stored bundle after the file has changed", async () => {
    const root = projectOf({
      "flow.ts": flowWith("return { words: count({ text: inputs.text }).words };"),
      "count.ts": COUNT,
    });
    const { bundle, hash, file } = await load(root);
    writeFileSync(join(root, "flow.ts"), "export default 7;");
    const again = await loadBundle({ bundle, file }, join(root, "elsewhere"));
    expect(again.hash).toBe(hash);
    expect(again.workflow.toGraph().nodes.get("count")?.at).toEqual({ file: "flow.ts", line: 8 });
  });

  it("runs nothing of a stored bundle that is not what its hash says", async () => {
    const root = projectOf({ "flow.ts": flowWith("return {};"), "count.ts": COUNT });
    const { bundle, hash, file } = await load(root);
    const changed = `globalThis.wasRun = true;\n${bundle}`;
    const kept = { hash, where: "plan.jsonl", hint: "wf plan" };
    const loading = loadBundle({ bundle: changed, file, kept }, join(root, "elsewhere"));
    await expect(loading).rejects.toMatchObject({ code: "WF_BUNDLE_CHANGED", where: "plan.jsonl" });
    expect(globalThis).not.toHaveProperty("wasRun");
    expect(existsSync(join(root, "elsewhere"))).toBe(false);
  });

  it("refuses code of another user that lies in node_modules of a parent folder", async ({ skip }) => {
    if (process.geteuid?.() !== 0) skip("SKIPPED: only root can give a file away");
    const root = projectOf({
      "inner/.wf/tsconfig.json": "{}",
      "inner/flow.ts": `import "handy"; ${flowWith("return {};")}`,
      "inner/count.ts": COUNT,
      "node_modules/handy/index.js": "globalThis.wasRun = true;",
    });
    const inner = join(root, "inner");
    await expect(load(inner)).resolves.toMatchObject({ file: "flow.ts" });
    chownSync(join(root, "node_modules/handy/index.js"), 65_534, 65_534);
    await expect(load(inner)).rejects.toMatchObject({
      code: "WF_PROJECT_FOREIGN",
      where: join(root, "node_modules/handy/index.js"),
    });
  });

  it("leaves nothing behind when it is only looked at", async () => {
    const root = projectOf({ "flow.ts": flowWith("return {};"), "count.ts": COUNT });
    const loaded = await inspectWorkflow(join(root, "flow.ts"), findProject(root, undefined));
    expect(loaded.workflow.toGraph().workflow).toBe("flow");
    expect(readdirSync(root).sort()).toEqual([".wf", "count.ts", "flow.ts"]);
    expect(readdirSync(join(root, ".wf"))).toEqual([]);
  });

  it("names files by the project's folder even where that is reached through a link", async () => {
    const root = projectOf({ "flow.ts": flowWith("return {};"), "count.ts": COUNT });
    const link = `${root} link`;
    symlinkSync(root, link);
    expect((await load(link)).file).toBe("flow.ts");
  });

  it("may use CommonJS packages that need Node's own modules", async () => {
    const root = projectOf({
      "flow.ts": `import { sep } from "old";\n${flowWith("if (sep !== '/') throw new Error(sep); return {};")}`,
      "count.ts": COUNT,
      "node_modules/old/package.json": '{ "name": "old", "main": "index.js" }',
      "node_modules/old/index.js": 'exports.sep = require("path").sep;',
    });
    expect((await load(root)).workflow.toGraph().workflow).toBe("flow");
  });
});

/** Eight lines of which the eighth is the body of `build`. */
function flowWith(body: string): string {
  return `import { file, workflow } from "wf";
import { count } from "./count.ts";

export default workflow({
  name: "flow",
  inputs: { text: file("txt"), image: file("png") },
  build({ inputs }) {
    ${body}
  },
});
`;
}

describe("a workflow file that is wrong", () => {
  const cases: readonly [what: string, text: string, code: ErrorCode, message: string, where: string, hint: string][] =
    [
      [
        "does not parse",
        "export default {\n  a: 1,\n  b: = 2,\n};",
        "WF_WORKFLOW_LOAD",
        'Unexpected "="',
        "flow.ts:3:6",
        "correct that line",
      ],
      [
        "imports a package that is not there",
        'import { x } from "@org/lib/part";\nx();',
        "WF_WORKFLOW_LOAD",
        'Could not resolve "@org/lib/part"',
        "flow.ts:1:19",
        "npm install @org/lib",
      ],
      [
        "imports a file that is not there",
        'import { x } from "./tasks.ts";\nx();',
        "WF_WORKFLOW_LOAD",
        'Could not resolve "./tasks.ts"',
        "flow.ts:1:19",
        "correct the path",
      ],
      [
        "imports an inner package",
        'import { task } from "@wf/core";\ntask();',
        "WF_WORKFLOW_LOAD",
        'Could not resolve "@wf/core"',
        "flow.ts:1:22",
        'import it from "wf"',
      ],
      [
        "imports a name that wf does not have",
        '\n\nimport { tusk } from "wf";\nexport default tusk({});',
        "WF_WORKFLOW_LOAD",
        '"wf" has no export called "tusk"',
        "flow.ts:3",
        "wf check",
      ],
      [
        "imports a name that its own file does not have",
        'import { nope } from "./count.ts";\nexport default nope;',
        "WF_WORKFLOW_LOAD",
        'No matching export in "count.ts" for import "nope"',
        "flow.ts:1:10",
        "correct that line",
      ],
      [
        "throws while it is loaded",
        "const table: Record<string, () => number> = {};\n\nexport default table.missing();",
        "WF_WORKFLOW_THREW",
        "TypeError: table.missing is not a function",
        "flow.ts:3",
        "correct the code",
      ],
      [
        "throws a value while it is loaded",
        'throw "tired";',
        "WF_WORKFLOW_THREW",
        "tired",
        "flow.ts",
        "correct the code",
      ],
      [
        "declares a task wrongly",
        'import { task } from "wf";\n\ntask({ name: "no name", command: () => ["true"] });',
        "WF_DECLARATION",
        '"no name" is not a task\'s name',
        "flow.ts:3",
        "a name starts with a letter",
      ],
      [
        "has no default export",
        "export const a = 1;",
        "WF_WORKFLOW_NO_DEFAULT",
        "has no default export",
        "flow.ts",
        "export default workflow(",
      ],
      ["is empty", "", "WF_WORKFLOW_NO_DEFAULT", "has no default export", "flow.ts", "export default workflow("],
      [
        "has its workflow under another name",
        'import { workflow } from "wf";\nexport const mine = workflow({ name: "m", build: () => ({}) });',
        "WF_WORKFLOW_NO_DEFAULT",
        "has no default export",
        "flow.ts",
        "export default mine",
      ],
      [
        "has a task as its default",
        'import { task } from "wf";\nexport default task({ name: "t", command: () => ["true"] });',
        "WF_WORKFLOW_NO_DEFAULT",
        "exports a task as its default",
        "flow.ts",
        "export default workflow(",
      ],
      [
        "has an object as its default",
        "export default { name: 1 };",
        "WF_WORKFLOW_NO_DEFAULT",
        "exports an object as its default",
        "flow.ts",
        "export default workflow(",
      ],
    ];
  it.each(cases)("%s", async (_, text, code, message, where, hint) => {
    const error = await failureOf(load(projectOf({ "flow.ts": text, "count.ts": COUNT })));
    expect(error.code).toBe(code);
    expect(error.message).toContain(message);
    expect(error.where).toMatch(new RegExp(`(^|\\()${where}\\)?$`));
    expect(error.hint).toContain(hint);
  });

  it("shows the line that does not parse, and counts the others", async () => {
    const text = 'import "./a.ts";\nimport "./b.ts";\nexport default 1;';
    const error = await failureOf(load(projectOf({ "flow.ts": text })));
    expect(error.message.split("\n")).toEqual([
      'Could not resolve "./a.ts"',
      '1 | import "./a.ts";',
      "  |        ^^^^^^^^",
      "and 1 more like it",
    ]);
  });

  const builds: readonly [what: string, body: string, code: ErrorCode, where: string][] = [
    [
      "gives a task an input of another type",
      "return { words: count({ text: inputs.image as never }).words };",
      "WF_INPUT_TYPE",
      'task "count" \\(flow.ts:8\\)',
    ],
    [
      "calls a task without its input",
      "return { words: count({} as never).words };",
      "WF_INPUT_MISSING",
      'task "count" \\(flow.ts:8\\)',
    ],
    [
      "asks for an output that is not declared",
      "return { words: (count({ text: inputs.text }) as any).wrods };",
      "WF_OUTPUT_UNKNOWN",
      "flow.ts:8",
    ],
    ["throws in build", "throw new Error('no idea');", "WF_WORKFLOW_THREW", "flow.ts:8"],
    ["throws in a function that build calls", "return JSON.parse('{');", "WF_WORKFLOW_THREW", "flow.ts:8"],
  ];
  it.each(builds)("%s", async (_, body, code, where) => {
    const { workflow } = await load(projectOf({ "flow.ts": flowWith(body), "count.ts": COUNT }));
    const error = await failureOf(() => workflow.toGraph());
    expect(error.code).toBe(code);
    expect(error.where).toMatch(new RegExp(`^${where}$`));
  });

  it("names the imported file when the mistake is there", async () => {
    const helper = `import { count } from "../count.ts";\n\nexport function both(a: never) {\n  count({ text: a });\n  return count({ txt: a } as never);\n}\n`;
    const flow = flowWith("both(inputs.text as never); return {};")
      .replace("./count.ts", "./deep/both.ts")
      .replace("{ count }", "{ both }");
    const { workflow } = await load(projectOf({ "flow.ts": flow, "count.ts": COUNT, "deep/both.ts": helper }));
    const error = await failureOf(() => workflow.toGraph());
    expect(error.code).toBe("WF_INPUT_UNKNOWN");
    expect(error.where).toBe('task "count" (deep/both.ts:5)');
  });
});

describe("a path that is no workflow file", () => {
  it("names the files that are there", async () => {
    const root = projectOf({ "flow.ts": "", "other.ts": "", "types.d.ts": "" });
    const missing = await failureOf(load(root, "folw.ts"));
    expect(missing.code).toBe("WF_FILE_NOT_FOUND");
    expect(missing.hint).toBe(`name a workflow file: ${join(root, "flow.ts")}, ${join(root, "other.ts")}`);
    const folder = await failureOf(load(root, "."));
    expect(folder.message).toContain("is a folder");
    expect(folder.hint).toContain(join(root, "flow.ts"));
  });

  it("says how to begin where there is none", async () => {
    const root = projectOf({});
    expect((await failureOf(load(root, "sub/flow.ts"))).hint).toContain("wf init");
  });
});
