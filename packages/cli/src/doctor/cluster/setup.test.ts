import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SiteLauncher } from "@wf/launcher";
import { LOCAL_SITE, SlurmSettings } from "@wf/site";
import { localTransport } from "@wf/transport";
import { afterAll, expect, test } from "vitest";
import { diagnose } from "../diagnosis.ts";
import { checkSetup } from "./setup.ts";

const storage = mkdtempSync(join(tmpdir(), "wf-setup-"));
afterAll(() => rmSync(storage, { recursive: true }));

async function setUp(setup: readonly string[], python = "python3") {
  const transport = localTransport();
  const slurm = SlurmSettings.parse({ setup });
  const { signal } = new AbortController();
  const site = { ...LOCAL_SITE, name: "cluster" };
  const launcher = new SiteLauncher({ storage, transport, python });
  const checks = checkSetup({ site, storage, python, transport, signal }, "slurm", slurm, launcher);
  return await Promise.all(checks.map(diagnose));
}

test("no lines, no check", async () => {
  expect(await setUp([])).toEqual([]);
});

test("lines that run, whatever they print", async () => {
  expect(await setUp(["echo hello; echo oh >&2", "x=3"])).toEqual([
    { health: "ok", says: "its 2 lines run; nothing changes for tasks" },
  ]);
});

test("what tasks get of them, and what is kept from tasks", async () => {
  const lines = [
    "export WF_NOT_THIS=1 LIBRARIES=/opt/lib",
    "export LONG=$(printf %080d 0) AN_API_KEY=hush",
    "unset HOME",
  ];
  const [found] = await setUp(lines);
  expect(found?.says).toBe(
    `its 3 lines run; tasks get LIBRARIES=/opt/lib, LONG=${"0".repeat(60)}…; no longer HOME; ` +
      "and not AN_API_KEY, by name a secret: a task names it in its env",
  );
  expect(found?.health).toBe("ok");
});

test.each([
  [
    "fails",
    ["true", "echo no such module >&2; false", "echo later >&2"],
    "`echo no such module >&2; false` ends with 1: no such module",
  ],
  ["ends the shell", ["echo off >&2; exit 3"], "`echo off >&2; exit 3` ends the shell: off"],
  ["is no shell", ["("], "`(` ends the shell: "],
])("a line that %s is named, with its own words", async (_, lines, says) => {
  const next = "mend sites.cluster.slurm.setup in sites.yaml; its shell is /bin/sh";
  expect(await setUp(lines)).toEqual([{ health: "fail", says: expect.stringContaining(says), next }]);
});

test("a line that takes Python away", async () => {
  expect(await setUp(["PATH=/nowhere"])).toMatchObject([
    { says: expect.stringContaining("after it python3 does not start") },
  ]);
});
