import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimePreparer } from "@wf/backend";
import { WfError } from "@wf/protocol";
import { LOCAL_SITE } from "@wf/site";
import { Store } from "@wf/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Check, diagnose } from "./diagnosis.ts";
import { checkSqlite, checkStore } from "./place.ts";
import { checkGit, checkNode, checkSitePython, checkTaskPython } from "./programs.ts";
import { checkNeededRuntimes, checkPreparedRuntimes } from "./runtimes.ts";
import { checkMachine } from "./site.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-doctor-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the store", () => {
  it("is well before its first run and after it", async () => {
    const place = join(folder, "not/yet");
    expect(await diagnose(checkStore(place))).toMatchObject({ health: "ok", says: `${place}, made by the first run` });
    Store.open(place).close();
    expect(await diagnose(checkStore(place))).toMatchObject({ health: "ok", says: `${place}, no runs` });
  });

  it("fails on a network file system, before and after its first run", async () => {
    const NFS = 0x6969;
    const options = { readFileSystemType: () => NFS };
    const before = await diagnose(checkStore(folder, options));
    expect(before).toMatchObject({
      health: "fail",
      says: expect.stringContaining("NFS"),
      next: expect.stringContaining("--store"),
    });
    Store.open(folder).close();
    expect(await diagnose(checkStore(folder, options))).toEqual(before);
  });

  it("fails when the file is something else", async () => {
    writeFileSync(join(folder, "wf.db"), "not a database, and long enough to be taken for one".repeat(100));
    expect(await diagnose(checkStore(folder))).toMatchObject({ health: "fail" });
  });

  it("needs a SQLite that works", async () => {
    const says = async (check: Check) => (await diagnose(check)).says;
    expect(await says(checkSqlite("compiled"))).toMatch(/^3\.[0-9.]+, compiled on this machine$/);
    expect(await says(checkSqlite("fetched"))).toMatch(/^3\.[0-9.]+, fetched ready-made$/);
    expect(await diagnose(checkSqlite())).toMatchObject({ health: "ok" });
  });
});

describe("programs", () => {
  it("fails for a Node that is too old", async () => {
    expect(await diagnose(checkNode("18.19.0"))).toMatchObject({ health: "fail", next: expect.stringContaining("20") });
    expect(await diagnose(checkNode("22.1.0"))).toEqual({ health: "ok", says: "22.1.0" });
  });

  it("fails for a site whose python does not start", async () => {
    const site = { ...LOCAL_SITE, python: join(folder, "python3") };
    expect(await diagnose(checkSitePython(site, ""))).toMatchObject({
      health: "fail",
      next: expect.stringContaining("python"),
    });
  });

  it("names the python of tasks, which is the first of PATH, and warns where there is none", async () => {
    const python = join(folder, "python3");
    writeFileSync(python, "#!/bin/sh\necho '3.12.1, /env/bin/python3'\n", { mode: 0o755 });
    const found = await diagnose(checkTaskPython(LOCAL_SITE, `${folder}:/usr/bin:/bin`));
    expect(found).toEqual({ health: "ok", says: "python 3.12.1, /env/bin/python3" });
    rmSync(python);
    expect(await diagnose(checkTaskPython(LOCAL_SITE, folder))).toMatchObject({ health: "warn" });
  });

  it("only warns about a missing git", async () => {
    expect(await diagnose(checkGit(join(folder, "git")))).toMatchObject({ health: "warn", next: "install git" });
  });
});

describe("Python runtimes", () => {
  const wish = { requirements: ["torch>=1.13"], requiresPython: ">=3.9", project: "/project" };
  const runtime = {
    key: "k",
    how: "found",
    interpreter: "/usr/bin/python3",
    bin: "/rt/bin",
    python: "3.11.2",
    packages: { torch: "1.13.1" },
  } as const;
  const preparerThat = (foresee: RuntimePreparer["foresee"]): RuntimePreparer => ({
    find: async () => null,
    prepare: async () => runtime,
    foresee,
  });
  const diagnoseWish = (foresee: RuntimePreparer["foresee"]) =>
    Promise.all(checkNeededRuntimes([wish, { ...wish }], preparerThat(foresee)).map(diagnose));

  it("says for what a workflow needs what there is, what would be done, or what is missing", async () => {
    const says = "Python 3.11.2, torch 1.13.1 (found: /usr/bin/python3)";
    expect(await diagnoseWish(async () => ({ state: "ready", runtime }))).toEqual([{ health: "ok", says }]);
    expect(await diagnoseWish(async () => ({ state: "would-build", how: "uv", says: "builds it" }))).toMatchObject([
      { health: "warn", says: "Python >=3.9, torch>=1.13: not here yet", next: expect.stringContaining("builds it") },
    ]);
    const unavailable = new WfError("WF_RUNTIME_UNAVAILABLE", "no torch", { hint: "type this" });
    expect(await diagnoseWish(() => Promise.reject(unavailable))).toEqual([
      { health: "fail", says: "no torch", next: "type this" },
    ]);
  });

  it("says which were prepared, and whether they are as they were", async () => {
    expect(await Promise.all(checkPreparedRuntimes(folder).map(diagnose))).toMatchObject([
      { health: "ok", says: expect.stringContaining("none prepared so far") },
    ]);
    const place = join(folder, "runtimes", "k");
    mkdirSync(place, { recursive: true });
    const witness = join(folder, "python3");
    writeFileSync(witness, "");
    const hash = createHash("sha256").update("").digest("hex");
    const document = { ...runtime, version: 2, witnesses: { [witness]: [0, hash] } };
    writeFileSync(join(place, "runtime.json"), JSON.stringify(document));
    const [check] = checkPreparedRuntimes(folder) as [Check];
    expect(await diagnose(check)).toMatchObject({ health: "ok", says: expect.stringContaining("torch 1.13.1") });
    writeFileSync(witness, "changed");
    expect(await diagnose(check)).toMatchObject({ health: "warn", says: expect.stringContaining("no longer") });
  });
});

describe("the machine", () => {
  it("warns when the site says more than there is", async () => {
    const site = { ...LOCAL_SITE, resources: { cpus: 100_000 } };
    expect(await diagnose(checkMachine(site))).toMatchObject({
      health: "warn",
      says: expect.stringContaining("100000 cpus"),
      next: "lower sites.local.resources in sites.yaml",
    });
    expect(await diagnose(checkMachine({ ...site, resources: { cpus: 1 } }))).toMatchObject({ health: "ok" });
  });
});
