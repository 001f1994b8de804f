import { expect, it } from "vitest";
import { type FileStamp, isSettled, MemoryHashCache } from "./hash-cache.ts";

const stamp: FileStamp = { path: "/x", size: 3, mtimeNs: 5_000_000_000n, ctimeNs: 6n, inode: 7n };

it("knows a hash only for exactly the stamp it was made with", () => {
  const cache = new MemoryHashCache();
  cache.put([{ stamp, hash: "h" }]);
  expect(cache.get({ ...stamp })).toBe("h");
  const others = [{ path: "/y" }, { size: 4 }, { mtimeNs: 5_000_000_001n }, { ctimeNs: 7n }, { inode: 8n }];
  for (const other of others) expect(cache.get({ ...stamp, ...other })).toBeUndefined();
});

it("trusts a file only when it had been left alone for two seconds, and never one from the future", () => {
  expect(isSettled(stamp, 7000)).toBe(true);
  expect(isSettled(stamp, 6999)).toBe(false);
  expect(isSettled(stamp, 4000)).toBe(false);
});
