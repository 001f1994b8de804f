import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** The real wrapper and the real check, in a tree whose set-up and program only say that they ran. */
let tree: string;

beforeEach(() => {
  tree = realpathSync(mkdtempSync(join(tmpdir(), "wf wrapper ")));
  for (const file of ["wf", "scripts/is-fresh.sh"]) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    copyFileSync(join(REPOSITORY, file), join(tree, file));
  }
  write("scripts/setup.mjs", SETUP);
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tsconfig.json", "tsconfig.base.json"]) {
    write(file, "{}");
  }
  write("packages/protocol/src/values/json.ts", "");
  write("packages/protocol/src/values/json.test.ts", "");
  write("runtimes/launcher/__main__.py", "");
  mkdirSync(join(tree, "node_modules"));
});

afterEach(() => rmSync(tree, { recursive: true, force: true }));

const SETUP = `
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
const at = (path) => new URL("../" + path, import.meta.url);
mkdirSync(at("packages/cli/bundle"), { recursive: true });
writeFileSync(at("packages/cli/bundle/main.js"),
  "console.log(JSON.stringify({ cwd: process.cwd(), args: process.argv.slice(2) })); process.exit(7)");
mkdirSync(at(".setup"), { recursive: true });
writeFileSync(at(".setup/ready"), spawnSync("sh", ["-c", "command -v node"]).stdout);
console.error("set up" + process.argv.slice(2).map((word) => " " + word).join(""));
`;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function start(program: string, args: readonly string[] = [], cwd = tree, env = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

function touchLater(path: string): void {
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(tree, path), later, later);
}

test("the first start sets up, the next goes straight to the program", () => {
  expect(start("./wf").stderr).toBe("set up\n");
  expect(start("./wf").stderr).toBe("");
});

test("the set-up is told what wf was asked for, so that it can prepare that meanwhile", () => {
  expect(start("./wf", ["run", "a file.ts"]).stderr).toBe("set up run a file.ts\n");
});

test("arguments, working directory and exit code are the program's own", () => {
  start("./wf");
  const args = ["run", "a file.ts", "--name=*", "", "it's\n$HOME"];
  const cwd = join(tree, "packages");
  const { status, stdout } = start("../wf", args, cwd);
  expect(JSON.parse(stdout)).toEqual({ cwd, args });
  expect(status).toBe(7);
});

test("a chain of symbolic links leads to the clone", () => {
  start("./wf");
  mkdirSync(join(tree, "bin/deep"), { recursive: true });
  symlinkSync("../../wf", join(tree, "bin/deep/relative"));
  symlinkSync(join(tree, "bin/deep/relative"), join(tree, "bin/wf-link"));
  const PATH = `${join(tree, "bin")}:${process.env.PATH}`;
  const { stderr, stdout } = start("wf-link", ["x"], "/", { ...process.env, PATH });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ cwd: "/", args: ["x"] });
});

test.each([
  "packages/protocol/src/values/json.ts",
  "runtimes/launcher/__main__.py",
  "pnpm-lock.yaml",
  "tsconfig.base.json",
])("a newer %s is set up again", (path) => {
  start("./wf");
  touchLater(path);
  expect(start("./wf").stderr).toBe("set up\n");
});

test("a newer test is not part of what is built", () => {
  start("./wf");
  touchLater("packages/protocol/src/values/json.test.ts");
  expect(start("./wf").stderr).toBe("");
});

test("another Node is set up for again", () => {
  start("./wf");
  symlinkSync(process.execPath, join(tree, "node"));
  const env = { ...process.env, PATH: `${tree}:${process.env.PATH}` };
  expect(start("./wf", [], tree, env).stderr).toBe("set up\n");
});

test("a set-up that fails ends the start with its status", () => {
  write("scripts/setup.mjs", "process.exit(4);");
  expect(start("./wf")).toEqual({ status: 4, stdout: "", stderr: "" });
});

test("a machine without Node, or with an old one, is told what to install", () => {
  const bin = join(tree, "bin");
  mkdirSync(bin);
  for (const program of ["sh", "cat", "find"]) symlinkSync(join("/bin", program), join(bin, program));
  const env = { PATH: bin };
  const without = start("./wf", [], tree, env);
  expect(without.status).toBe(4);
  expect(without.stderr).toContain("Node.js was not found");

  writeFileSync(join(bin, "node"), '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.0\n', { mode: 0o755 });
  const old = start("./wf", [], tree, env);
  expect(old.status).toBe(4);
  expect(old.stderr).toContain("is Node.js v18.20.0, which is too old");
  expect(old.stderr).toContain("https://nodejs.org");
});
