import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { storeIdentity } from "./store-identity.ts";

const top = mkdtempSync(join(tmpdir(), "wf-identity-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

it("is the same each time, also of a store that was moved", () => {
  const first = storeIdentity(join(top, "a"));
  expect(first.store).toMatch(/^[0-9a-f]{32}$/);
  expect(storeIdentity(join(top, "a"))).toEqual(first);
  renameSync(join(top, "a"), join(top, "b"));
  const moved = storeIdentity(join(top, "b"));
  expect(moved.store).toBe(first.store);
  expect(moved.where).toMatch(/:.*\/b$/);
  expect(readdirSync(join(top, "b"))).toEqual(["store-id"]);
});

it("is another one of another store", () => {
  expect(storeIdentity(join(top, "c")).store).not.toBe(storeIdentity(join(top, "d")).store);
});
