/** Somebody stops a run, or wants it twice: what runs is waited for or gone, and `wf resume` goes on from there. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { until } from "@wf/testing";
import { describe, expect, it } from "vitest";
import { endOf, expectError, finishOf, makeProject, type Outcome, type Project, type Started } from "./wf-project.ts";

/**
 * `hold` notes its processes (`$2/pids`: the shell, a child, a child in a session of its own) and waits for `$2/go`,
 * or for the end of the project; then it ends them and writes its output.
 */
const WORKFLOW = `
import { file, task, workflow, z } from "wf";
const script = [
  'sleep 600 & child=$!',
  'setsid sleep 600 & other=$!',
  'echo $$ $child $other > "$2/pids.new" && mv "$2/pids.new" "$2/pids"',
  'while [ -d "$2" ] && [ ! -e "$2/go" ]; do sleep 0.05; done',
  'kill $child $other; wait',
  'echo held > "$1"',
].join("\\n");
const hold = task({
  name: "hold",
  params: z.object({ folder: z.string() }),
  outputs: { text: file("txt") },
  command: ({ params, outputs }) => ["sh", "-c", script, "sh", outputs.text, params.folder],
});
const after = task({
  name: "after",
  inputs: { text: file("txt") },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});
export default workflow({
  name: "held",
  params: z.object({ folder: z.string() }),
  build: ({ params }) => after({ text: hold({}, { folder: params.folder }).text }),
});
`;

interface Held {
  readonly project: Project;
  readonly run: string;
  readonly started: Started;
  readonly pids: readonly number[];
}

/** A run whose first task is running. */
async function heldRun(): Promise<Held> {
  const project = makeProject({ "held.ts": WORKFLOW });
  const started = project.start(["run", "held.ts", "-p", `folder=${project.folder}`, "--json"]);
  await until(
    "the start of the task",
    () => existsSync(project.path("pids")) && started.stdout().includes('"attempt.started"'),
    { lastSeen: started.stdout },
  );
  const pids = project.read("pids").trim().split(" ").map(Number);
  expect(pids.filter(isAlive)).toHaveLength(3);
  return { project, run: project.runs()[0] as string, started, pids };
}

const release = ({ project }: Held) => writeFileSync(project.path("go"), "");
const hasSaid = ({ started }: Held, how: string) =>
  until(`the ${how}`, () => started.stdout().includes(`"how":"${how}"`), { lastSeen: started.stdout });

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** What ran is gone, with its whole tree. */
function expectGone({ pids }: Held): void {
  expect(pids.filter(isAlive)).toEqual([]);
}

async function expectResumed(held: Held, attemptsOfHold: number): Promise<void> {
  const { project, run } = held;
  release(held);
  const resumed = await project.wf(["resume", run, "--json"]);
  expect(resumed.exitCode, resumed.stderr).toBe(0);
  expect(readFileSync(finishOf(resumed)?.outputs.text.path, "utf8")).toBe("held\n");
  expect(project.ask("SELECT count(*) FROM attempt WHERE task = 'hold'")).toBe(attemptsOfHold);
  expectGone(held);
}

function expectStopped(outcome: Outcome, status: "stopped" | "cancelled"): void {
  expect(outcome.exitCode, outcome.stderr).toBe(130);
  expect(finishOf(outcome)).toMatchObject({ status, outputs: {} });
  expect(endOf(outcome, "after")?.state).not.toBe("done");
}

const linux = { skip: process.platform !== "linux" };

describe.concurrent("stopping a run", linux, () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s once lets what runs finish", async (signal) => {
    const held = await heldRun();
    held.started.child.kill(signal);
    await hasSaid(held, "drain");
    release(held);
    const outcome = await held.started.ended;
    expectStopped(outcome, "stopped");
    expect(endOf(outcome, "hold")?.state).toBe("done");
    await expectResumed(held, 1);
  });

  it("Ctrl-C twice ends it, with its whole process tree", async () => {
    const held = await heldRun();
    held.started.child.kill("SIGINT");
    await hasSaid(held, "drain");
    held.started.child.kill("SIGINT");
    expectStopped(await held.started.ended, "cancelled");
    expectGone(held);
    await expectResumed(held, 2);
  });

  it("from another process: it says how far it is, refuses a second owner, and cancels", async () => {
    const held = await heldRun();
    const { project, run, started } = held;
    const [status, second] = await Promise.all([
      project.wf(["status", run, "--json"]),
      project.wf(["resume", run, "--json"]),
    ]);
    expect(status.exitCode, status.stderr).toBe(0);
    expect(status.events[0]).toMatchObject({
      run,
      status: "running",
      owner: { host: hostname(), pid: started.child.pid, alive: true },
      running: [{ task: "hold" }],
    });
    expectError(second, "WF_RUN_OWNED", {
      says: new RegExp(`Process ${started.child.pid} on ${hostname()} has been running ${run}`),
      where: new RegExp(run),
      next: new RegExp(`wf status ${run}.*wf cancel ${run}`),
    });
    expect(held.pids.filter(isAlive)).toHaveLength(3);

    const cancelled = await project.wf(["cancel", run]);
    expect(cancelled.exitCode, cancelled.stderr).toBe(0);
    expect(cancelled.stdout).toMatch(new RegExp(`${run} was cancelled\n.*wf resume ${run}`));
    expectStopped(await started.ended, "cancelled");
    expectGone(held);
    await expectResumed(held, 2);

    expectError(await project.wf(["resume", run, "--json"]), "WF_USAGE", {
      says: /already succeeded/,
      where: new RegExp(run),
      next: /wf show.*wf run/,
    });
    expectError(await project.wf(["cancel", run, "--json"]), "WF_USAGE", {
      says: /is over: succeeded/,
      next: /wf show/,
    });
  });

  it("a drain that another process asks for", async () => {
    const held = await heldRun();
    const asked = await held.project.wf(["cancel", held.run, "--drain"]);
    expect(asked.stdout).toMatch(/was asked to stop when what runs now has finished\n.*wf status .*--follow/);
    await hasSaid(held, "drain");
    release(held);
    expectStopped(await held.started.ended, "stopped");
    await expectResumed(held, 1);
  });
});
