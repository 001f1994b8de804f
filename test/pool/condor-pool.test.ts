import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { onSubmitHost, overSsh } from "./condor-commands.ts";
import { found } from "./own-pool.ts";

describe.skipIf(found === null)("the pool of these tests", () => {
  const pool = found as CondorPool;

  /** What a job prints, submitted by `submit`. */
  function printedBy(submit: typeof onSubmitHost, script: string): string {
    const folder = mkdtempSync(join(pool.folder, "case-"));
    chmodSync(folder, 0o777);
    const file = (name: string) => join(folder, name);
    writeFileSync(file("script"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    writeFileSync(
      file("description"),
      `executable = ${file("script")}\noutput = ${file("output")}\nlog = ${file("log")}\nqueue\n`,
    );
    expect(submit(pool, "condor_submit", "-terse", file("description"))).toMatch(/^\d+\.0 - \d+\.0\n$/);
    onSubmitHost(pool, "condor_wait", "-wait", "50", file("log"));
    return readFileSync(file("output"), "utf8");
  }

  test.each([
    ["the submit host", onSubmitHost],
    ["elsewhere, over ssh", overSsh],
  ])("runs jobs as its user that were submitted from %s", (_, submit) => {
    expect(printedBy(submit, "/usr/bin/id -un")).toBe(`${pool.user}\n`);
  });

  test("jobs see what is shared, and not what is hidden", () => {
    const shared = join(pool.folder, "shared.txt");
    const hidden = join(pool.hidden, "hidden.txt");
    for (const file of [shared, hidden]) writeFileSync(file, "here");
    expect(overSsh(pool, "cat", hidden)).toBe("here");
    const look = (file: string) => `if [ -e ${file} ]; then echo seen; else echo unseen; fi`;
    expect(printedBy(onSubmitHost, `${look(shared)}\n${look(hidden)}`)).toBe("seen\nunseen\n");
  });
});
