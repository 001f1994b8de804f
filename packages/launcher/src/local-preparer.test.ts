import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RuntimeWish } from "@wf/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPython } from "./find-python.ts";
import { createLocalPreparer } from "./local-preparer.ts";
import { runtimeKey } from "./runtime-key.ts";

const LAUNCHER_SOURCES = fileURLToPath(new URL("../../../runtimes/launcher", import.meta.url));
const { signal } = new AbortController();
const never = () => undefined;

let root: string;
let storage: string;
let project: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wf preparer "));
  storage = join(root, "storage");
  project = join(root, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const wishFor = (changes: Partial<RuntimeWish> = {}): RuntimeWish => ({
  requirements: [],
  requiresPython: ">=3.6",
  project,
  ...changes,
});

/** A package that only the environment of this project has. */
function makeEnvironment(body = "__version__ = '2.1'\n"): string {
  const environment = join(project, ".venv");
  execFileSync("python3", ["-m", "venv", "--without-pip", environment]);
  const [library] = readdirSync(join(environment, "lib"));
  const module = join(environment, "lib", library as string, "site-packages", "rare_thing.py");
  writeFileSync(module, body);
  return module;
}

test("the key is the one that the launcher makes", async () => {
  const wishes: (readonly [RuntimeWish, string | null])[] = [
    [wishFor(), null],
    [
      wishFor({
        requirements: ["torch>=1.13", "numpy", "a @ file:///Ünï/\ud83d\ude00"],
        requiresPython: null,
      }),
      null,
    ],
    [wishFor({ requirements: ["./wheels/a.whl"] }), null],
    [wishFor({ requirements: ["--find-links=../wheels", "a"] }), "/opt/python 3/bin/python3"],
  ];
  const script = `
import json, sys
sys.path.insert(0, sys.argv[1])
from wf_launcher.prepare.wish import Wish
print(json.dumps([Wish(dict(wish, python=python, runtimes="/r")).key for wish, python in json.loads(sys.argv[2])]))`;
  const python = await findPython(process.env.PATH ?? "", signal);
  const argv = ["-c", script, LAUNCHER_SOURCES, JSON.stringify(wishes)];
  const keys = JSON.parse(execFileSync(python, argv, { encoding: "utf8" }));
  expect(keys).toEqual(wishes.map(([wish, named]) => runtimeKey(wish, named)));
  expect(new Set(keys).size).toBe(wishes.length);
});

test("what is there is found once, and costs a look at a few files from then on", async () => {
  const module = makeEnvironment();
  const preparer = createLocalPreparer({ storage });
  const wish = wishFor({ requirements: ["rare-thing>=2"] });
  expect(await preparer.find(wish, signal)).toBeNull();
  expect(await preparer.foresee(wish, signal)).toMatchObject({ state: "would-find", runtime: { how: "found" } });
  expect(existsSync(storage)).toBe(false);

  const told: string[] = [];
  const runtime = await preparer.prepare(wish, ({ says }) => told.push(says), signal);
  expect(runtime).toMatchObject({
    how: "found",
    interpreter: join(project, ".venv/bin/python3"),
    packages: { "rare-thing": "2.1" },
  });
  expect(told[0]).toContain("rare-thing>=2");
  const seen = execFileSync("python3", ["-c", "import rare_thing; print(rare_thing.__version__)"], {
    env: { PATH: `${runtime.bin}:${process.env.PATH}` },
    encoding: "utf8",
  });
  expect(seen).toBe("2.1\n");

  expect(await preparer.find(wish, signal)).toEqual(runtime);
  expect(await createLocalPreparer({ storage, python: "python3" }).find(wish, signal)).toBeNull();
  const { atime, mtime } = statSync(module);
  writeFileSync(module, readFileSync(module, "utf8").replace("2.1", "2.7"));
  utimesSync(module, atime, mtime);
  expect(await preparer.find(wish, signal)).toBeNull();
});

test("what cannot be had is an error with the package, what was tried and what to type", async () => {
  writeFileSync(join(project, "pyproject.toml"), "");
  const preparer = createLocalPreparer({ storage });
  const wish = wishFor({ requiresPython: ">=4.2" });
  const error = {
    code: "WF_RUNTIME_UNAVAILABLE",
    message: expect.stringMatching(/^no Python with Python >=4\.2 can be had\. Tried:\n.*it is Python 3/),
    where: join(project, "pyproject.toml"),
    hint: expect.stringMatching(/install Python >=4\.2.*; then go on with: wf resume/),
  };
  await expect(preparer.prepare(wish, never, signal)).rejects.toMatchObject(error);
  await expect(preparer.foresee(wish, signal)).rejects.toMatchObject(error);
});

test("whoever stops waiting stops the preparation", async () => {
  makeEnvironment("import time\ntime.sleep(60)\n");
  const life = new AbortController();
  const preparer = createLocalPreparer({ storage });
  const started = preparer.prepare(wishFor({ requirements: ["rare-thing"] }), () => life.abort(), life.signal);
  await expect(started).rejects.toThrow(/abort/);
});
