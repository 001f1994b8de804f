import { expect, test } from "vitest";
import { parseQuotas, showQuota } from "./quota.ts";

const QUOTA = `Disk quotas for user me (uid 1000):
     Filesystem  blocks   quota   limit   grace   files   quota   limit   grace
      /dev/sda1   20000 1000000 1200000       0      50       0       0       0
srv:/home  990000* 1000000 1200000  6days  99000  100000  110000       0
`;

test("quota -wp", () => {
  expect(parseQuotas(QUOTA)).toEqual([
    {
      fileSystem: "/dev/sda1",
      usedBytes: 20_000 * 1024,
      limitBytes: 1_000_000 * 1024,
      usedFiles: 50,
      limitFiles: null,
      isNearlyFull: false,
    },
    expect.objectContaining({ fileSystem: "srv:/home", usedFiles: 99_000, limitFiles: 100_000, isNearlyFull: true }),
  ]);
});

test("lfs quota -q, with a hard limit alone", () => {
  const [scratch] = parseQuotas("     /scratch  50000  0  51000  -  10  0  0  -\n");
  expect(scratch).toMatchObject({ limitBytes: 51_000 * 1024, limitFiles: null, isNearlyFull: true });
  expect(scratch && showQuota(scratch)).toBe("/scratch is nearly used up: 51.2 MB of 52.2 MB");
});

test("words are no quotas", () => {
  expect(parseQuotas("Disk quotas for user me (uid 1000): none\n")).toEqual([]);
});
