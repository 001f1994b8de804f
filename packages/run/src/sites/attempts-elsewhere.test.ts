import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ObjectStore } from "@wf/data";
import { sha256, type TaskRecord } from "@wf/protocol";
import { localTransport } from "@wf/transport";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AttemptsElsewhere } from "./attempts-elsewhere.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wf attempts "));
});
afterEach(() => rmSync(home, { recursive: true }));

const recordWith = (name: string) =>
  ({
    attempt: "a@1",
    pictures: [{ file: { kind: "file", hash: sha256("p"), size: 1, name } }],
  }) as unknown as TaskRecord;

test("pictures are linked under their own names, and under no other", () => {
  const objects = new ObjectStore(join(home, "store"));
  const place = { run: "r1", folder: home, transport: localTransport(), storage: "/there", ssh: [] };
  const attempts = new AttemptsElsewhere(place);
  attempts.linkPictures(recordWith("p 1.png"), objects);
  const folder = join(home, "runs/r1/attempts/a@1/pictures");
  expect(readlinkSync(join(folder, "p 1.png"))).toBe(objects.path(sha256("p")));
  for (const name of ["../../../../../planted", "..", "/etc/planted", "a\0", "x".repeat(256)]) {
    expect(() => attempts.linkPictures(recordWith(name), objects)).toThrow(
      expect.objectContaining({ code: "WF_PATH_ESCAPE" }),
    );
  }
  expect(readdirSync(folder)).toEqual(["p 1.png"]);
  expect(readdirSync(home)).toEqual(["runs"]);
});

test("what an attempt printed is brought here, unless something else lies in its place", async () => {
  const storage = join(home, "there");
  const there = join(storage, "runs/r1/attempts/a@1");
  mkdirSync(there, { recursive: true });
  const attempts = new AttemptsElsewhere({ run: "r1", folder: home, transport: localTransport(), storage, ssh: [] });
  const { signal } = new AbortController();
  const here = join(home, "runs/r1/attempts/a@1");

  writeFileSync(join(there, "stdout"), "hello\n");
  execFileSync("mkfifo", [join(there, "stderr")]);
  symlinkSync("/dev/zero", join(there, "command.json"));
  await attempts.bring("a@1", 0, signal);
  await attempts.bringLogs("a@1", 0, signal);
  expect(readFileSync(join(here, "stdout"), "utf8")).toBe("hello\n");
  expect(readdirSync(here).toSorted()).toEqual(["place.json", "stdout"]);
});
