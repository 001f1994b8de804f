import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { init } from "./init.ts";

const root = mkdtempSync(join(tmpdir(), "wf-init-"));
afterAll(() => rmSync(root, { recursive: true }));

it("makes a store that nobody else can look into", async () => {
  const folder = join(root, "project");
  expect(await init(folder, { color: false, json: true })).toBe(0);
  expect(statSync(join(folder, ".wf")).mode & 0o777).toBe(0o700);
});
