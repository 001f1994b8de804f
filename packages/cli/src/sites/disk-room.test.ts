import { expect, test } from "vitest";
import { parseDiskRoom } from "./disk-room.ts";

test.each([
  [
    "a local disk",
    "/dev/vda       ext4      264212084 19817456  75683808      21% /",
    "/dev/vda       16777216 775949 16001267    5% /",
    { fileSystem: "ext4", looksShared: false, freeBytes: 75_683_808 * 1024, freeFiles: 16_001_267 },
  ],
  [
    "a folder of a server, with a blank in its name",
    "srv:/vol/my home nfs4 1000000 1 999999 1% /my home",
    "srv:/vol/my home 0 0 0 - /my home",
    { fileSystem: "nfs4", looksShared: true, freeBytes: 999_999 * 1024, freeFiles: null },
  ],
  [
    "lustre",
    "10.0.0.1@o2ib:/scratch lustre 9000000000000 1 8000000000000 12% /scratch",
    "10.0.0.1@o2ib:/scratch 5000000000 1000 4999999000 1% /scratch",
    { fileSystem: "lustre", looksShared: true, freeBytes: 8e12 * 1024, freeFiles: 4_999_999_000 },
  ],
])("%s", (_, blocks, inodes, room) => {
  expect(parseDiskRoom([blocks, inodes])).toEqual(room);
});

test("where df says nothing, nothing is known", () => {
  expect(parseDiskRoom([])).toEqual({ fileSystem: null, looksShared: false, freeBytes: null, freeFiles: null });
});
