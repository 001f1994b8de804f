import { beforeAll, describe, expect, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { LauncherOnPool } from "./launcher-on-pool.ts";
import { found } from "./own-pool.ts";

const LARGE = Buffer.alloc(3 << 20, "x");
const FILES = 300;

describe.skipIf(found === null)("jobs that do not see the storage", () => {
  const pool = found as CondorPool;
  let launcher: LauncherOnPool;
  beforeAll(() => {
    launcher = new LauncherOnPool(pool);
  });

  /** Fails where the storage can be seen. Makes a file that is large, and a folder. */
  function working(says: string): object {
    const entries = Array.from({ length: FILES }, (_, number) => {
      const content = `${number}`;
      return { path: `${number}.txt`, hash: launcher.put(content), size: content.length };
    });
    const tree = launcher.put(JSON.stringify({ kind: "directory", entries }));
    const input = (name: string, value: object) => ({ name, path: name, value, how: "link" });
    return {
      argv: [
        "sh",
        "-c",
        `test ! -e ${launcher.storage} && cat big big > twice && cp tree/7.txt made && echo ${says} > made/says`,
      ],
      inputs: [
        input("tree", { kind: "directory", hash: tree, size: 1, files: FILES }),
        input("big", { kind: "file", hash: launcher.put(LARGE), size: LARGE.length, name: "big" }),
      ],
      outputs: [
        { name: "twice", path: "twice", kind: "file" },
        { name: "made", path: "made", kind: "directory" },
      ],
    };
  }

  const forgetful = { argv: ["true"], outputs: [{ name: "model", path: "model.pt", kind: "file" }] };
  const collected = { state: "collected", says: null, unrecorded: [] };

  function expectAll(token: string, says: string): void {
    const record = launcher.record(`${token}-0@1`);
    expect(record.failure).toBeNull();
    expect(launcher.read(record.outputs.twice?.hash ?? "").equals(Buffer.concat([LARGE, LARGE]))).toBe(true);
    const made = JSON.parse(launcher.read(record.outputs.made?.hash ?? "").toString());
    expect(made.entries.map((entry: { path: string }) => entry.path)).toEqual(["7.txt", "says"]);
    expect(launcher.read(made.entries[1].hash).toString()).toBe(`${says}\n`);
  }

  test("get all with them, and their outputs and records return", () => {
    const answer = launcher.run("sent", [working("sent"), forgetful], { placement: "transfer" });
    expect(answer).toEqual({ elements: [collected, collected] });
    expectAll("sent", "sent");
    expect(launcher.record("sent-1@1").failure).toMatchObject({ class: "output-missing", name: "model" });
  });

  test("fetch and deliver over ssh", () => {
    const store = {
      url: `ssh://${pool.user}@127.0.0.1:${pool.sshPort}${launcher.storage}`,
      command: launcher.command,
      identity: launcher.ownCopy(pool.privateKey),
      knownHosts: launcher.ownCopy(pool.knownHosts),
    };
    const answer = launcher.run("fetched", [working("fetched")], { placement: "copy", store });
    expect(answer).toEqual({ elements: [collected] });
    expectAll("fetched", "fetched");
  });
});
