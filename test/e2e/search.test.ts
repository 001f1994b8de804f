/** Searches in real runs: the law of the window, what resuming keeps, and searches that come to nothing. */
import { readFileSync } from "node:fs";
import { until } from "@wf/testing";
import { expect, it } from "vitest";
import { finishOf, makeProject } from "./wf-project.ts";

/** A trial is slow or quick by chance, fails where x is large, and writes into a ledger that it ran. */
const FLOW = `
import { asha, choice, file, logUniform, optional, search, task, tpe, uniform, workflow, z } from "wf";

export default workflow({
  name: "study",
  params: z.object({ trials: z.number().default(9), failsAbove: z.number().default(0.9), ledger: z.string() }),
  build({ params: { trials, failsAbove, ledger } }) {
    const found = search(
      { x: uniform(0, 1), y: logUniform(1e-3, 1), kind: choice(["a", "b"]) },
      ({ params, budget, checkpoint }) =>
        trial({ start: checkpoint }, { ...params, epochs: budget, failsAbove, ledger }),
      {
        trials,
        window: 3,
        minimise: "loss",
        sampler: tpe({ seed: 3, startup: 4 }),
        pruner: asha({ rungs: [1, 3], eta: 2 }),
        checkpoint: file("txt"),
      },
    );
    return { study: found.study, loss: found.score };
  },
});

const trial = task({
  name: "trial",
  inputs: { start: optional(file("txt")) },
  params: z.object({
    x: z.number(), y: z.number(), kind: z.enum(["a", "b"]), epochs: z.number(), failsAbove: z.number(), ledger: z.string(),
  }),
  outputs: { checkpoint: file("txt") },
  metrics: ["loss"],
  code: { script: "./trial.sh" },
  command: ({ params, outputs, code }) => [
    "sh", code.script, params.x, params.y, params.kind, params.epochs, params.failsAbove, params.ledger, outputs.checkpoint,
  ],
});
`;

const TRIAL = `
echo "$WF_TASK_NAME" >> "$6"
sleep "0.0$(( $(printf %s "$1" | cksum | cut -c1-2) % 9 ))"
awk -v x="$1" -v y="$2" -v kind="$3" -v epochs="$4" -v most="$5" 'BEGIN {
  if (x > most) { print "x is too large" > "/dev/stderr"; exit 3 }
  printf "{\\"step\\": %d, \\"loss\\": %.9f}\\n", epochs, (x - 0.3)^2 + (y - 0.01)^2 + (kind == "b") / 10 + 1 / epochs
}' >> "$WF_METRICS" && cp "$WF_METRICS" "$7"
`;

const projectOn = (cpus: number) =>
  makeProject({
    "flow.ts": FLOW,
    "trial.sh": TRIAL,
    "sites.yaml": `sites: { local: { resources: { cpus: ${cpus} } } }\n`,
  });

const studyOf = (project: ReturnType<typeof projectOn>) => JSON.parse(project.read("results", "study.json"));

it("repeats exactly, however many trials run at once", async () => {
  const studies: { trials: { state: string }[] }[] = [];
  for (const cpus of [1, 4]) {
    const project = projectOn(cpus);
    const run = ["run", "flow.ts", "-p", "ledger=/dev/null", "--json", "--outputs", "results"];
    const outcome = await project.wf(run);
    expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
    studies.push(studyOf(project));
  }
  expect(studies[0]).toEqual(studies[1]);
  const states = new Set(studies[0]?.trials.map(({ state }) => state));
  expect([...states].sort()).toEqual(["complete", "failed", "pruned"]);
});

it("loses no finished trial when it is killed, and ends as if it had not been", async () => {
  const undisturbed = projectOn(3);
  expect((await undisturbed.wf(["run", "flow.ts", "-p", "ledger=/dev/null", "--outputs", "results"])).exitCode).toBe(0);

  const project = projectOn(3);
  const ledger = project.write("ledger.txt", "");
  const lines = () => readFileSync(ledger, "utf8").split("\n").filter(Boolean);
  let args = ["run", "flow.ts", "-p", `ledger=${ledger}`];
  for (const trials of [2, 5, 8]) {
    const { child, ended } = project.start(args);
    await until(`${trials} trials`, () => lines().length >= trials || child.exitCode !== null, { lastSeen: lines });
    child.kill("SIGKILL");
    await ended;
    args = ["resume", "last"];
  }
  const outcome = await project.wf(["resume", "last", "--outputs", "results"]);
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  expect(new Set(lines()).size, "a trial ran twice").toBe(lines().length);
  expect(studyOf(project)).toEqual(studyOf(undisturbed));
});

it("fails with the reason of the trials if every one of them fails, and keeps what is there", async () => {
  const project = projectOn(2);
  const outcome = await project.wf([
    "run",
    "flow.ts",
    "-p",
    "ledger=/dev/null",
    "-p",
    "failsAbove=-1",
    "-p",
    "trials=3",
  ]);
  expect(outcome.exitCode).toBe(1);
  expect(outcome.stdout).toContain("none of the 3 trials gave a score");
  expect(outcome.stdout).toContain("x is too large");
});

it("finds its trials in the cache", async () => {
  const project = projectOn(2);
  const run = ["run", "flow.ts", "-p", "ledger=/dev/null", "--json", "--outputs", "results"];
  const first = await project.wf(run);
  const { trials } = studyOf(project);
  const again = await project.wf([...run, "-p", "trials=10"]);
  expect(finishOf(again), again.stderr).toMatchObject({ status: "succeeded" });
  const ran = (outcome: typeof again) =>
    outcome.events.filter(({ type, task }) => type === "attempt.started" && /rung-\d\/trial\./.test(task)).length;
  expect(studyOf(project).trials.slice(0, 9)).toEqual(trials);
  expect(ran(first)).toBeGreaterThan(9);
  const failed = trials.filter(({ state }: { state: string }) => state === "failed").length;
  expect(ran(again), "a tenth trial of two rungs, and failed ones").toBeLessThanOrEqual(2 + failed);
});
