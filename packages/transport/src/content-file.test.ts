import { expect, it } from "vitest";
import { checkContentFiles } from "./content-file.ts";

const hash = "a".repeat(64);
const check = (more: { hash?: string; remote?: string }) =>
  checkContentFiles([{ hash, remote: "objects/aa", sizeBytes: 1, local: "/x", mode: 0o444, ...more }]);

it.each(["../x", "a/../../x", "..", "/etc/passwd", "a\0b"])("refuses a path that leaves its root: %j", (remote) => {
  expect(() => check({ remote })).toThrow(expect.objectContaining({ code: "WF_PATH_ESCAPE" }));
});

it.each(["", "../x", hash.slice(1), `${hash}0`, hash.toUpperCase()])("refuses what is no hash: %j", (wrong) => {
  expect(() => check({ hash: wrong })).toThrow("Not a content hash");
});

it("takes what stays in its root", () => {
  for (const remote of ["objects/aa", "a/../b", "..a"]) expect(() => check({ remote })).not.toThrow();
});
