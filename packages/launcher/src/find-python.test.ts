import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkPython, findPython } from "./find-python.ts";

const { signal } = new AbortController();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-python-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function script(name: string, body: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return file;
}

test("a script that stands for python3 is passed over for a real interpreter", async () => {
  script("python3", 'exec /usr/bin/python3 "$@"');
  const found = await findPython(`${folder}${delimiter}/usr/bin`, signal);
  expect(found.startsWith(folder)).toBe(false);
});

test("a script is asked for the interpreter behind it", async () => {
  const shim = script("python3", 'echo "3 9 /opt/real/python3.9"');
  expect(await checkPython(shim, signal)).toBe("/opt/real/python3.9");
});

test.each([
  ["is too old", "echo '3 7 /opt/old/python3.7'", "Python 3.7"],
  ["does not start", "exit 1", "does not start"],
  ["answers something else", "echo hello", "does not start"],
])("a named python that %s is an error that says so", async (_, body, why) => {
  const named = script("python3", body);
  await expect(checkPython(named, signal)).rejects.toMatchObject({
    code: "WF_PYTHON_MISSING",
    where: named,
    message: expect.stringContaining(why),
  });
});
