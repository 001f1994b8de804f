import { readFileSync } from "node:fs";
import { EXIT, WfError } from "@wf/protocol";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "./command-tree.ts";
import { EXIT_CODES, runProgram } from "./program.ts";
import { VERSION } from "./version.ts";

async function failureOf(...words: string[]): Promise<WfError> {
  const error = await runProgram(words).catch((thrown: unknown) => thrown);
  if (error instanceof WfError) return error;
  throw new Error(`no WfError: ${String(error)}`);
}

describe("a wrong command line", () => {
  it.each([
    ["an unknown command", ["rnu"], "unknown command 'rnu'", "did you mean run?"],
    ["an unknown flag", ["run", "x.ts", "--sitte", "a"], "unknown option '--sitte'", "did you mean --site?"],
    ["an unknown global flag", ["--jsno"], "unknown option '--jsno'", "did you mean --json?"],
    ["a missing argument", ["run"], "missing argument FILE", "wf run --help"],
    ["a missing argument after an optional one", ["logs"], "missing argument TASK", "wf logs --help"],
    ["too many arguments", ["resume", "a", "b"], "too many arguments", "wf resume --help"],
    ["a flag without its value", ["run", "x.ts", "--site"], "argument missing", "wf run --help"],
    ["a number that is none", ["runs", "--limit", "many"], "A whole number from 1 is wanted", "wf runs --help"],
    ["a number that is too small", ["run", "x.ts", "--cluster", "0"], "A whole number from 1", "wf run --help"],
    ["a choice that is none", ["graph", "x.ts", "--format", "png"], "Allowed choices are svg", "wf graph --help"],
    ["a shell that is none", ["completion", "tcsh"], "Allowed choices are bash", "wf completion --help"],
    ["flags that exclude each other", ["resume", "--keep-going", "--fail-fast"], "cannot be used with", "wf resume"],
  ])("%s is WF_USAGE with a next step", async (_, words, message, hint) => {
    const error = await failureOf(...words);
    expect(error.code).toBe("WF_USAGE");
    expect(error.exitCode).toBe(2);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
  });
});

describe("the command tree", () => {
  it("says in help what each exit code of core means", () => {
    expect(EXIT_CODES.map(([code]) => code)).toEqual(Object.values(EXIT));
  });

  it("has the version of its package", () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(VERSION).toBe(version);
  });

  it.each(COMMANDS.map((spec) => [spec.name, spec] as const))(
    "%s can be loaded and has an example",
    async (name, spec) => {
      expect(spec.example).toMatch(new RegExp(`^wf ${name}( |$)`));
      expect(await spec.load()).toBeInstanceOf(Function);
    },
  );
});
