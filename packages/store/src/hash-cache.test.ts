import { expect, test } from "vitest";
import { sha256, testFolder, testStore } from "./facts.fixture.ts";

const stamp = {
  path: "/data/a b\n'ü'.png",
  size: 5_000_000_000,
  mtimeNs: 1_800_000_000_123_456_789n,
  ctimeNs: 1_800_000_000_123_456_788n,
  inode: -3n,
};

test("a hash is known for exactly the stamp that it was put under, to the nanosecond", () => {
  const folder = testFolder();
  testStore({}, folder).hashCache.put([{ stamp, hash: sha256("x") }]);
  const { hashCache } = testStore({}, folder);
  expect(hashCache.get(stamp)).toBe(sha256("x"));
  expect(hashCache.get({ ...stamp, path: "/data/b" })).toBeUndefined();
  expect(hashCache.get({ ...stamp, size: 5_000_000_001 })).toBeUndefined();
  expect(hashCache.get({ ...stamp, mtimeNs: stamp.mtimeNs + 1n })).toBeUndefined();
  expect(hashCache.get({ ...stamp, ctimeNs: stamp.ctimeNs + 1n })).toBeUndefined();
  expect(hashCache.get({ ...stamp, inode: 3n })).toBeUndefined();
});

test("a path has one hash: the newest", () => {
  const { hashCache } = testStore();
  const changed = { ...stamp, mtimeNs: stamp.mtimeNs + 1n };
  hashCache.put([{ stamp, hash: sha256("x") }]);
  hashCache.put([{ stamp: changed, hash: sha256("y") }]);
  expect(hashCache.get(stamp)).toBeUndefined();
  expect(hashCache.get(changed)).toBe(sha256("y"));
});
