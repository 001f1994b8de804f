import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { copyFile } from "./copy-file.ts";

const folder = mkdtempSync(join(tmpdir(), "wf-copy-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MIB = 1 << 20;
let made = 0;
function newPath(): string {
  made += 1;
  return join(folder, String(made));
}

function sparseFile(pieces: readonly (readonly [offset: number, text: string])[]): string {
  const path = newPath();
  const file = openSync(path, "w");
  for (const [offset, text] of pieces) writeSync(file, text, offset);
  closeSync(file);
  return path;
}

const probe = statSync(sparseFile([[64 * MIB, "x"]]));
const hasHoles = probe.blocks * 512 < probe.size;

test.skipIf(!hasHoles)("a file with holes takes no more room as a copy (needs a file system with holes)", async () => {
  const from = sparseFile([
    [3 * MIB + 17, "data"],
    [200 * MIB, "end"],
  ]);
  const to = newPath();
  await copyFile(from, to);
  expect(statSync(to).size).toBe(statSync(from).size);
  expect(statSync(to).blocks * 512).toBeLessThan(8 * MIB);
  expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
});

test("whatever a file holds, its copy holds the same, with the same mode", async () => {
  const piece = fc.tuple(fc.integer({ min: 0, max: 5 * MIB }), fc.string({ minLength: 1, maxLength: 20 }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 4 }), fc.constantFrom(0o644, 0o755, 0o600), async (pieces, mode) => {
      const [from, to] = [sparseFile(pieces), newPath()];
      chmodSync(from, mode);
      await copyFile(from, to);
      expect(readFileSync(to).equals(readFileSync(from))).toBe(true);
      expect(statSync(to).mode & 0o777).toBe(mode);
      for (const path of [from, to]) rmSync(path);
    }),
    cases(30),
  );
});

test("a name that is taken stays what it is", async () => {
  for (const from of [sparseFile([[0, "whole"]]), sparseFile([[8 * MIB, "x"]])]) {
    const to = newPath();
    writeFileSync(to, "mine");
    await expect(copyFile(from, to)).rejects.toMatchObject({ code: "EEXIST" });
    expect(readFileSync(to, "utf8")).toBe("mine");
  }
});
