import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeFailure } from "./write-failure.ts";

const root = mkdtempSync(join(tmpdir(), "wf-disk-full-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SCRIPT = `
  import { readdirSync } from "node:fs";
  import { Importer, materialise, MemoryHashCache, ObjectStore } from "@wf/data";
  const [disk, small, large] = process.argv.slice(1);
  const full = new ObjectStore(disk);
  const importer = new Importer(full, new MemoryHashCache());
  const roomy = new ObjectStore(disk + "/../roomy");
  const bytes = Buffer.alloc(1 << 20);
  const seen = {};
  const attempt = async (name, act) => { try { await act(); seen[name] = "fits"; } catch (error) { seen[name] = error.code; } };
  await attempt("putBytes", () => full.putBytes(bytes, "x"));
  await attempt("importFile, small", () => importer.importFile(small));
  await attempt("importFile, large", () => importer.importFile(large));
  await attempt("materialise", () => materialise(roomy.putBytes(bytes, "x"), disk + "/result", roomy));
  seen.left = readdirSync(disk, { recursive: true });
  console.log(JSON.stringify(seen));
`;

it("says that the disk is full wherever it writes, and leaves no half a file behind", ({ skip }) => {
  const disk = join(root, "disk");
  const small = join(root, "small");
  const large = join(root, "large");
  mkdirSync(disk);
  writeFileSync(small, Buffer.alloc(200_000, 1));
  writeFileSync(large, Buffer.alloc(3_000_000, 2));
  // A disk of 64 kB that only the child sees, where the system lets a user make one.
  const mount = `mount -t tmpfs -o size=64k none "$1" || exit 77; exec "$4" --input-type=module -e "$5" "$1" "$2" "$3"`;
  const words = ["-rm", "sh", "-c", mount, "sh", disk, small, large, process.execPath, SCRIPT];
  let output: string;
  try {
    output = execFileSync("unshare", words, { encoding: "utf8", cwd: import.meta.dirname, stdio: "pipe" });
  } catch (error) {
    const { status, code, stderr } = error as { status?: number; code?: string; stderr?: string };
    const isForbidden = status === 77 || code === "ENOENT" || /unshare/.test(stderr ?? "");
    return isForbidden ? skip("no private tmpfs can be mounted here") : expect.fail(stderr);
  }
  expect(JSON.parse(output)).toEqual({
    putBytes: "WF_DISK_FULL",
    "importFile, small": "WF_DISK_FULL",
    "importFile, large": "WF_DISK_FULL",
    materialise: "WF_DISK_FULL",
    left: ["tmp"],
  });
});

it.each([
  ["ENOSPC", "store", "WF_DISK_FULL"],
  ["EDQUOT", "store", "WF_DISK_FULL"],
  ["EROFS", "store", "WF_STORE_OPEN"],
  ["EACCES", "results", "WF_USAGE"],
] as const)("turns %s in the %s into %s", (errno, what, code) => {
  const error = Object.assign(new Error(errno), { code: errno });
  expect(writeFailure(error, what, "/there")).toMatchObject({ code, where: "/there", cause: error });
});

it("passes on what it does not know", () => {
  const error = new Error("else");
  expect(writeFailure(error, "store", "/there")).toBe(error);
});
