/** Tasks that take longer than they may: they leave a checkpoint, and go on from it in a further attempt. */
import { until } from "@wf/testing";
import { describe, expect, it } from "vitest";
import { ALL_EPOCHS, endsOf, epochsShown, secondsOf, slicedTraining, stateOf, taking } from "./sliced-training.ts";
import { finishOf, makeProject, type Project } from "./wf-project.ts";
import { itWithPyTorch } from "./with-pytorch.ts";

/** Counts to a number, one step every tenth of a second, and says what it did in a ledger that outlives all sandboxes. */
const COUNT = `
import json, os, signal, sys, time
goal, state, ledger, leaves = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
count = int(open(state).read()) if os.path.exists(state) else 0
told = []
signal.signal(signal.SIGUSR2, lambda *_: told.append(True))
open(ledger, "a").write("%s begins at %d\\n" % (os.environ["WF_ATTEMPT"], count))
while count < goal:
    time.sleep(0.1)
    count += 1
    open(os.environ["WF_METRICS"], "a").write(json.dumps({"step": count, "count": count}) + "\\n")
    if told and leaves == "yes":
        open(state + ".new", "w").write(str(count))
        os.replace(state + ".new", state)
        sys.exit(75)
open(state, "w").write(str(count))
`;
const FLOW = `
import { file, task, workflow, z } from "wf";
const count = task({
  name: "count",
  outputs: { state: file("txt") },
  params: z.object({ goal: z.number(), ledger: z.string(), leaves: z.enum(["yes", "no"]) }),
  code: { script: "./count.py" },
  metrics: ["count"],
  resources: { time: "4s" },
  resumable: { checkpoint: "state", warn: "3s" },
  retries: 1,
  command: ({ code, params, outputs }) => ["python3", code.script, params.goal, outputs.state, params.ledger, params.leaves],
});
export default workflow({
  name: "flow",
  params: z.object({ goal: z.number().default(25), ledger: z.string(), leaves: z.enum(["yes", "no"]).default("yes") }),
  build: ({ params }) => {
    const { state, metrics } = count({}, params);
    return { state, count: metrics.count };
  },
});
`;

function counting(): { readonly project: Project; readonly args: readonly string[]; ledger(): string[] } {
  const project = makeProject({ "flow.ts": FLOW, "count.py": COUNT });
  const path = project.write("ledger", "");
  const ledger = () => project.read("ledger").split("\n").filter(Boolean);
  return { project, args: ["flow.ts", "--json", "-p", `ledger=${path}`], ledger };
}

/** Where each attempt began to count. */
const beginnings = (ledger: readonly string[]) => ledger.map((line) => Number(/at (\d+)$/.exec(line)?.[1]));

describe("a task that takes longer than its time", () => {
  it("goes on in slices, and costs no retry", async () => {
    const { project, args, ledger } = counting();
    const outcome = await project.wf(["run", ...args]);
    expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded", metrics: { count: 25 } });
    const begun = beginnings(ledger());
    expect(begun.length).toBeGreaterThan(1);
    expect(begun[0]).toBe(0);
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
    expect(new Set(begun).size).toBe(begun.length);
    expect(outcome.events.filter(({ type }) => type === "task.retry")).toEqual([]);
    expect(outcome.events.filter(({ type }) => type === "task.sliced")).toHaveLength(begun.length - 1);

    const [shown] = (await project.wf(["show", "last", "count", "--json"])).events;
    expect(shown?.attempts.map(({ slice }: { slice: number }) => slice)).toEqual(begun.map((_, index) => index + 1));
    const steps = shown?.series[0].points.map(({ step }: { step: number }) => step);
    expect(steps).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
    expect((await project.wf(["show", "last", "count"])).stdout).toContain(`${begun.length} slices, `);
    expect((await project.wf(["why", "last", "count"])).stdout).toContain("slice 1 (count@1");
    expect((await project.wf(["run", ...args])).events.find(({ type }) => type === "task.ended")).toMatchObject({
      state: "cached",
    });
  });

  it("fails, after its retries, where a slice leaves no newer checkpoint", async () => {
    const { project, args, ledger } = counting();
    const outcome = await project.wf(["run", ...args, "-p", "leaves=no", "-p", "goal=200"]);
    expect(finishOf(outcome)?.status).toBe("failed");
    expect(beginnings(ledger())).toEqual([0, 0]);
    const [ended] = outcome.events.filter(({ type }) => type === "task.ended");
    expect(ended?.cause).toMatchObject({
      class: "time-limit",
      message: expect.stringContaining("wrote no checkpoint"),
    });
  });

  it("goes on from its newest checkpoint when wf and its launcher were killed", async () => {
    const { project, args, ledger } = counting();
    const { child, ended } = project.start(["run", ...args, "-p", "goal=40"]);
    await until("the second slice", () => ledger().length >= 2, { lastSeen: ledger });
    const sliced = beginnings(ledger()).at(-1) as number;
    child.kill("SIGKILL");
    await ended;
    const pid = Number(
      /"pid": (\d+)/.exec(project.read(".wf", "runs", project.runs()[0] as string, "journal.jsonl"))?.[1],
    );
    process.kill(pid, "SIGKILL");
    const outcome = await project.wf(["resume", "--json"]);
    expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded", metrics: { count: 40 } });
    const resumed = beginnings(ledger()).slice(2);
    expect(resumed.length).toBeGreaterThan(0);
    for (const begun of resumed) expect(begun).toBeGreaterThanOrEqual(sliced);
    expect(sliced).toBeGreaterThan(0);
  });
});

describe("a training of wf_ml that takes longer than its time", () => {
  itWithPyTorch("ends with the bits of one that was never interrupted", async () => {
    const whole = await slicedTraining("1h").wf(["run", "flow.ts", "--json"]);
    expect(finishOf(whole), whole.stderr).toMatchObject({ status: "succeeded" });
    // Long enough for its start, which may take long on a slow machine, and too short for the training.
    const seconds = Math.ceil(2 * secondsOf(whole)) + 4;
    const project = slicedTraining(`${seconds}s`);
    const sliced = await project.wf(["run", "flow.ts", "--json", ...taking(seconds + 4)]);
    expect(finishOf(sliced), sliced.stderr).toMatchObject({ status: "succeeded" });
    expect(endsOf(sliced).filter((end) => end === "slice-ended").length).toBeGreaterThan(0);
    expect(stateOf(sliced)).toBe(stateOf(whole));
    expect(await epochsShown(project, "last")).toEqual(ALL_EPOCHS);
  });
});
