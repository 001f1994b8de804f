/** On a bare clone the Python runtime of a workflow is prepared while wf itself is set up, for the run to find. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { until } from "@wf/testing";
import { expect, it } from "vitest";
import { finishOf, makeProject, type Project } from "./wf-project.ts";

const MODULE = fileURLToPath(new URL("../../scripts/setup/python-runtime.mjs", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("../../runtimes/launcher", import.meta.url));
const TASKS = `
import { json, python, task, z } from "wf";
export const look = task({
  name: "look",
  runtime: python("../../runtimes/python"),
  outputs: { seen: json(z.string()) },
  command: ({ outputs }) => ["python3", "-m", "look", outputs.seen],
});
`;
const FLOW = `
import { workflow } from "wf";
import { look } from "./flow/tasks.ts";
export default workflow({ name: "flow", build: () => ({ seen: look({}).seen }) });
`;
const LOOK = 'import json, sys\njson.dump(sys.executable, open(sys.argv[1], "w"))\n';

function makeClone(): Project {
  const clone = makeProject({
    "package.json": "{}",
    "workflows/flow.ts": FLOW,
    "workflows/flow/tasks.ts": TASKS,
    "workflows/plain.ts": "",
    "runtimes/python/pyproject.toml": '[project]\nname = "p"\nversion = "1"\nrequires-python = ">=3.6"\n',
    "runtimes/python/src/look.py": LOOK,
  });
  symlinkSync(LAUNCHER, clone.path("runtimes", "launcher"));
  return clone;
}

/** What the set-up does first, in a process that then ends well. */
function begin(clone: Project, words: readonly string[]): Promise<string> {
  const script = `
    import { beginPythonRuntime } from ${JSON.stringify(MODULE)};
    console.log(beginPythonRuntime(process.cwd(), ${JSON.stringify(words)}, { log: "runtime.log" }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: clone.folder,
    env: { ...process.env, WF_STORE: undefined },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  return new Promise((done) => child.on("exit", () => done(printed.trim())));
}

it("prepares what the run asks for, under the same key, and outlives the set-up", async () => {
  const clone = makeClone();
  expect(await begin(clone, ["run", "workflows/flow.ts"])).toBe("true");
  await until(
    "the runtime",
    () =>
      existsSync(clone.path(".wf", "runtimes")) &&
      readdirSync(clone.path(".wf", "runtimes")).some((name) => /^[0-9a-f]+$/.test(name)),
  );
  const run = await clone.wf(["run", "workflows/flow.ts", "--json"]);
  expect(finishOf(run), run.stderr).toMatchObject({ status: "succeeded" });
  expect(run.events.filter(({ type }) => type === "runtime.ready")).toMatchObject([{ wasReady: true }]);
});

it.each([
  ["no run", ["plan", "workflows/flow.ts"], {}],
  ["a workflow without Python", ["run", "workflows/plain.ts"], {}],
  ["a workflow that is not there", ["run", "workflows/none.ts"], {}],
  [
    "a site that names an interpreter",
    ["run", "workflows/flow.ts"],
    { "sites.yaml": "sites: { local: { python: /x } }" },
  ],
])("begins nothing for %s", async (_, words, files) => {
  const clone = makeClone();
  for (const [path, text] of Object.entries(files)) clone.write(path, text as string);
  expect(await begin(clone, words)).toBe("false");
  expect(existsSync(clone.path(".wf"))).toBe(false);
});
