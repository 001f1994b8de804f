import { spawnSync } from "node:child_process";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loginShellLine, startMark } from "./login-shell.ts";

/** `npm test` installs them where it may. */
const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "tcsh", "fish"];
const isInstalled = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;
const MISSING = SHELLS.filter((shell) => !isInstalled(shell));
if (MISSING.length > 0) console.warn(`SKIPPED: lines for login shells that are not installed: ${MISSING.join(", ")}`);
const AWKWARD = [
  "a b",
  "it's",
  '"x"',
  "$HOME",
  "`id`",
  "new\nline\n",
  "back\\slash\\n",
  "肺 🫁",
  "*",
  "~",
  "",
  "-n",
  "!x!",
  "100%s",
];

function inShell(shell: string, line: string): { words: readonly string[]; pid: number } {
  const { stdout, stderr, status } = spawnSync(shell, ["-c", line], { encoding: "utf8" });
  expect({ status, stderr: stderr.split("\n").length }).toEqual({ status: 0, stderr: 2 });
  const end = stdout.indexOf("\n");
  return {
    words: stdout
      .slice(end + 1)
      .split("\0")
      .slice(0, -1),
    pid: Number(stdout.slice(0, end).split(" ")[1]),
  };
}

const printing = (words: readonly string[]) => ["/usr/bin/printf", "%s\\0", ...words] as const;

describe.each(MISSING)("the line for the login shell %s", (shell) => {
  it.skip(`SKIPPED: ${shell} is not installed`, () => undefined);
});

describe.each(SHELLS.filter((shell) => !MISSING.includes(shell)))("the line for the login shell %s", (shell) => {
  it("carries any argument, folder and variable", () => {
    const mark = startMark();
    expect(inShell(shell, loginShellLine({ argv: printing(AWKWARD) }, "", mark)).words).toEqual(AWKWARD);
    const command = { argv: ["sh", "-c", 'printf "%s\\0" "$A" "$PWD"'], cwd: "/usr", env: { A: "it's\n!" } } as const;
    expect(inShell(shell, loginShellLine(command, "", mark)).words).toEqual(["it's\n!", "/usr"]);
  });

  it("does not run the command where its folder cannot be entered", () => {
    const line = loginShellLine({ argv: ["echo", "ran"], cwd: "/no/such folder" }, "", startMark());
    const { status, stdout } = spawnSync(shell, ["-c", line], { encoding: "utf8" });
    expect([status, stdout.includes("ran")]).toEqual([126, false]);
  });

  it("starts the command in the place of the shell", () => {
    const line = loginShellLine({ argv: ["sh", "-c", 'printf "%s\\0" $$'] }, "", startMark());
    const { words, pid } = inShell(shell, line);
    expect(words).toEqual([String(pid)]);
  });

  it("says where its own output begins, after what the prelude prints", () => {
    const mark = startMark();
    const { stdout } = spawnSync(shell, ["-c", loginShellLine({ argv: ["echo", "it"] }, "echo chatter", mark)], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(new RegExp(`^chatter\\n${mark.text} \\d+\\nit\\n$`));
  });
});

const text = fc.string({ unit: "grapheme", maxLength: 40 }).map((any) => any.replaceAll("\0", ""));

it("holds nothing that any login shell would look into", () => {
  const harmless = /^exec \/bin\/sh -c 'eval "\$\(printf "(?:[ #%&()*+,\-./0-9:;<=>?@A-Z[\]^_a-z{|}~]|\\\d{3})*"\)"'$/;
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), text, text, (argv, cwd, value) => {
      const command = { argv: [...AWKWARD, ...argv] as [string, ...string[]], cwd, env: { A: value } };
      expect(loginShellLine(command, "echo `date` 'hi'!", startMark())).toMatch(harmless);
    }),
  );
});

it("carries any text at all", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 20, maxLength: 60 }), (words) => {
      const all = [...words, "end"];
      expect(inShell("sh", loginShellLine({ argv: printing(all) }, "", startMark())).words).toEqual(all);
    }),
    cases(10),
  );
});

it("refuses what no shell can carry", () => {
  for (const more of [{ argv: ["echo", "a\0b"] }, { env: { A: "a\0b" } }, { env: { "a\0b": "" } }, { cwd: "/a\0b" }]) {
    const command = { argv: ["echo"], ...more } as Parameters<typeof loginShellLine>[0];
    expect(() => loginShellLine(command, "", startMark())).toThrow("NUL");
  }
  expect(() => loginShellLine({ argv: ["echo", "a".repeat(130_000)] }, "", startMark())).toThrow("too long");
});
