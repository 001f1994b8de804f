import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackendEvent } from "@wf/backend";
import { type BackendHarness, ContractSession, letGo, shellJob, waitFor } from "@wf/backend/contract";
import { until } from "@wf/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalBackend } from "./local-backend.ts";
import { launcherSocketPath } from "./socket-path.ts";
import { launcherPids, makeLocalHarness } from "./testing/local-harness.ts";

const { signal } = new AbortController();
let harness: BackendHarness;
beforeEach(async () => {
  harness = await makeLocalHarness();
});
afterEach(() => harness.dispose());

function withLauncher(text: string) {
  const launcher = join(harness.scratch, "launcher.py");
  writeFileSync(launcher, text);
  return createLocalBackend({ ...harness, launcher });
}

test("two runs on one storage do not see each other", async () => {
  const runs = ["r1", "r2"].map((run) => ({ ...harness, run }));
  const sessions = runs.map((options) => new ContractSession(createLocalBackend(options)));
  await Promise.all(sessions.map((session) => session.open()));
  expect(launcherPids(harness.storage, "r1")).toHaveLength(1);
  expect(launcherPids(harness.storage, "r2")).toHaveLength(1);
  for (const [index, session] of sessions.entries()) {
    await session.submit(shellJob(runs[index] as BackendHarness, "a1", `${waitFor(harness, "go")}; exit ${index + 1}`));
    await session.started("a1");
  }
  letGo(harness, "go");
  expect(await sessions[0]?.finished("a1")).toMatchObject({ run: "r1", exitCode: 1 });
  expect(await sessions[1]?.finished("a1")).toMatchObject({ run: "r2", exitCode: 2 });
  for (const session of sessions) await session.close();
});

test("an idle launcher is gone when the backend has closed, and so is its socket", async () => {
  const session = new ContractSession(harness.create());
  await session.open();
  await session.submit(shellJob(harness, "a1", "true"));
  await session.finished("a1");
  await session.close();
  await until("the end of the launcher", () => launcherPids(harness.storage).length === 0);
  expect(existsSync(launcherSocketPath(harness.storage, harness.run))).toBe(false);
});

test("a launcher that is not built is an error that says how to build it", async () => {
  const backend = createLocalBackend({ ...harness, launcher: join(harness.scratch, "absent.pyz") });
  await expect(backend.open(() => undefined, signal)).rejects.toMatchObject({
    code: "WF_LAUNCHER",
    hint: "Type: pnpm build",
  });
});

test("a launcher that fails at its start is an error with its last words", async () => {
  const backend = withLauncher(`import sys\nsys.exit("no room for the socket")`);
  await expect(backend.open(() => undefined, signal)).rejects.toMatchObject({
    code: "WF_LAUNCHER",
    message: expect.stringContaining("no room for the socket"),
  });
});

test("a launcher that is killed at its start, each time, is an error that says so", async () => {
  const backend = withLauncher("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)");
  await expect(backend.open(() => undefined, signal)).rejects.toMatchObject({
    code: "WF_LAUNCHER",
    message: expect.stringContaining("killed"),
  });
});

test("a python that cannot be used is an error that names it", async () => {
  const backend = createLocalBackend({ ...harness, python: "/no/such/python3" });
  await expect(backend.open(() => undefined, signal)).rejects.toMatchObject({
    code: "WF_PYTHON_MISSING",
    where: "/no/such/python3",
  });
});

/** Listens, says what it is told to say for each connection, and ends. */
const talker = (sentence: string) => `
import socket, sys
server = socket.socket(socket.AF_UNIX)
path = sys.argv[sys.argv.index("--socket") + 1]
import os
if os.path.exists(path): os.unlink(path)
server.bind(path)
server.listen()
print("ready", flush=True)
client, _ = server.accept()
client.recv(65536)
client.sendall(${sentence})
os.unlink(path)
`;
const hello = (version: number) => `b'{"event":"hello","version":${version},"pid":1,"running":[],"queued":[]}\\n'`;

test("a launcher that cannot stay alive breaks the backend, and the engine is told", async () => {
  const backend = withLauncher(talker(hello(1)));
  const event = await new Promise<BackendEvent>((resolve, reject) => {
    backend.open(resolve, signal).catch(reject);
  });
  expect(event).toMatchObject({
    type: "broken",
    error: { code: "WF_LAUNCHER", hint: expect.stringContaining("wf resume r1") },
  });
  await expect(backend.submit([shellJob(harness, "a1", "true")], signal)).rejects.toMatchObject({
    code: "WF_LAUNCHER",
  });
});

test("a launcher that says it cannot go on breaks the backend", async () => {
  const backend = withLauncher(talker(`${hello(1)} + b'{"event":"error","message":"no memory"}\\n'`));
  const event = await new Promise<BackendEvent>((resolve, reject) => {
    backend.open(resolve, signal).catch(reject);
  });
  expect(event).toMatchObject({ type: "broken", error: { message: expect.stringContaining("no memory") } });
});

test.each([
  ["another version", hello(2), "another version"],
  ["no JSON", `b'what?\\n'`, "cannot be understood"],
  ["of a task without its record", `b'{"event":"finished","attempt":"a1"}\\n'`, "cannot be understood"],
])("a launcher that speaks %s is refused", async (_, sentence, why) => {
  const backend = withLauncher(talker(sentence));
  await expect(backend.open(() => undefined, signal)).rejects.toMatchObject({
    code: "WF_LAUNCHER",
    message: expect.stringContaining(why),
  });
});
