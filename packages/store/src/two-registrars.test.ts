import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { testFolder, testStore } from "./facts.fixture.ts";

const PROCESSES = 3;
const MODELS = 100;
const registrar = fileURLToPath(new URL("./registrar.fixture.mjs", import.meta.url));

async function startRegistrar(folder: string): Promise<() => Promise<string>> {
  const child = spawn(process.execPath, [registrar, folder, String(MODELS)], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return async () => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stdin.end("go\n");
    expect(await once(child, "close")).toEqual([0, null]);
    return output;
  };
}

test("processes that register at once never give a version twice, nor two versions to one content", async () => {
  const folder = testFolder();
  const starts = await Promise.all(Array.from({ length: PROCESSES }, () => startRegistrar(folder)));
  const lines = (await Promise.all(starts.map((go) => go()))).flatMap((output) => output.trim().split("\n"));
  const said: { content: string; version: number; isNew: boolean }[] = lines.map((line) => JSON.parse(line));
  expect(said).toHaveLength(PROCESSES * MODELS);

  const contents = new Set(said.map(({ content }) => content));
  expect(contents.size).toBe((PROCESSES * MODELS) / 2 + MODELS / 2);
  const given = said.filter(({ isNew }) => isNew).map(({ version }) => version);
  expect(given.sort((a, b) => a - b)).toEqual(Array.from({ length: contents.size }, (_, index) => index + 1));
  expect(new Set(said.map(({ content, version }) => `${content} ${version}`)).size).toBe(contents.size);

  const store = testStore({}, folder);
  expect(store.models("unet")).toHaveLength(contents.size);
  expect(store.models("unet").flatMap(({ seenAgain }) => seenAgain)).toHaveLength(MODELS);
  expect(store.check()).toEqual([]);
});
