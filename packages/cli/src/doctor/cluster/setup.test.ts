import { LOCAL_SITE, SlurmSettings } from "@wf/site";
import { localTransport } from "@wf/transport";
import { expect, test } from "vitest";
import { diagnose } from "../diagnosis.ts";
import { checkSetup } from "./setup.ts";

async function setUp(setup: readonly string[], python = "python3") {
  const transport = localTransport();
  const slurm = SlurmSettings.parse({ setup });
  const { signal } = new AbortController();
  const site = { ...LOCAL_SITE, name: "cluster" };
  const checks = checkSetup({ site, storage: "/", python, transport, signal }, "slurm", slurm);
  return await Promise.all(checks.map(diagnose));
}

test("no lines, no check", async () => {
  expect(await setUp([])).toEqual([]);
});

test("lines that run, whatever they print", async () => {
  expect(await setUp(["echo hello; echo oh >&2", "x=3"])).toEqual([{ health: "ok", says: "its 2 lines run" }]);
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
