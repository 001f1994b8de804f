import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PATIENCE_MS } from "@wf/testing";
import { expect, it } from "vitest";

const BUILT = fileURLToPath(new URL("../../dist/ssh/ask-on-terminal.js", import.meta.url));

/** What a person sees on the terminal, who types these keys when asked; and what the program got. */
const PERSON = `
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
seen = b""
for keys in sys.stdin.buffer.read().split(b"|"):
    while not seen.endswith(b": "):
        seen += os.read(terminal, 1000)
    os.write(terminal, keys)
    seen += b"."
try:
    while True:
        seen += os.read(terminal, 1000)
except OSError:
    pass
os.waitpid(child, 0)
sys.stdout.buffer.write(seen)
`;

const ASKS = `
import { askOnTerminal } from ${JSON.stringify(BUILT)};
const more = process.env.HOSTILE ?? "";
const prompts = [{ text: more + "Code: ", isHidden: true }, { text: more + "Name: ", isHidden: false }];
const question = { kind: "codes", from: "me@site", instructions: "Two things" + more, prompts };
try {
  console.log("got", JSON.stringify(await askOnTerminal(question, new AbortController().signal)));
} catch (error) {
  console.log("failed", error.code, error.message);
}
`;

function typing(keys: string, hostile = ""): string {
  const argv = ["-c", PERSON, process.execPath, "--input-type=module", "-e", ASKS];
  return spawnSync("python3", argv, {
    input: keys,
    encoding: "utf8",
    timeout: PATIENCE_MS,
    env: { ...process.env, HOSTILE: hostile },
  }).stdout.replaceAll("\r", "");
}

it("shows what may be seen, hides what may not, and mends what was mistyped", () => {
  const seen = typing("12x\x7f3\r|Ada\r");
  expect(seen).toContain('got ["123","Ada"]');
  expect(seen).toContain("Two things");
  expect(seen).toMatch(/Name: .Ada/);
  expect(seen.slice(0, seen.indexOf("Name"))).not.toMatch(/[123]/);
});

it("shows what a machine asks, and obeys none of it", () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e";
  const seen = typing("1\r|Ada\r", hostile);
  expect(seen).toContain('got ["1","Ada"]');
  expect(seen).toContain("\\x1b[2J");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  expect(seen).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
});

it("takes Ctrl-C for no answer", () => {
  expect(typing("12\x03")).toContain('failed WF_SSH_AUTH There was no answer to "Code:"');
});

it("says that there is nobody to ask where there is no terminal", () => {
  const argv = ["setsid", process.execPath, "--input-type=module", "-e", ASKS] as const;
  const { stdout } = spawnSync(argv[0], argv.slice(1), { encoding: "utf8" });
  expect(stdout).toContain('failed WF_SSH_AUTH me@site asks for "Code:", "Name:", and there is nobody to ask');
});
