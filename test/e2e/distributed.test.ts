/** Tasks of several processes on this machine, through the built program. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { finishOf, makeProject } from "./wf-project.ts";
import { itWithPyTorch } from "./with-pytorch.ts";

const LUNG_DDP = fileURLToPath(new URL("../../workflows/lung-ddp.ts", import.meta.url));
const TINY = ["patients=8", "size=32", "epochs=2", "batch=4"].flatMap((param) => ["--param", param]);

const RANKS = `
import { directory, task, workflow, z } from "wf";

const count = task({
  name: "count",
  outputs: { seen: directory() },
  params: z.object({ broken: z.number() }),
  resources: { nodes: 2, processes: 2, cpus: 0.25 },
  command: ({ outputs, params }) => [
    "sh",
    "-c",
    'echo "I am $WF_RANK"; echo "$RANK $WORLD_SIZE" > "$1/$WF_RANK"; test $WF_RANK != $2 || { echo "no part for $WF_RANK" >&2; exit 3; }; test $2 = 9 || sleep 60',
    "sh",
    outputs.seen,
    params.broken,
  ],
});

export default workflow({
  name: "ranks",
  params: z.object({ broken: z.number().default(9) }),
  build: ({ params }) => ({ seen: count({}, { broken: params.broken }).seen }),
});
`;

it("starts four ranks, keeps what each printed and used, and tells of them", async () => {
  const project = makeProject({ "ranks.ts": RANKS });
  const outcome = await project.wf(["run", "ranks.ts", "--json", "--outputs", "results"]);
  expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
  expect([0, 1, 2, 3].map((rank) => project.read("results/seen", String(rank)))).toEqual(
    [0, 1, 2, 3].map((rank) => `${rank} 4\n`),
  );
  expect(project.ask("SELECT count(*) FROM rank WHERE exit_code = 0 AND user_seconds IS NOT NULL")).toBe(4);
  const sums = "SELECT abs(a.user_seconds - sum(r.user_seconds)) < 1e-5 FROM rank r JOIN attempt a USING (attempt)";
  expect(project.ask(sums)).toBe(1);
  expect((await project.wf(["logs", "last", "count", "--rank", "2"])).stdout).toBe("I am 2\n");
  const shown = (await project.wf(["show", "last", "count"])).stdout;
  expect(shown).toMatch(/\n +3 +\S+ +exit 0 /);
  expect((await project.wf(["plan", "ranks.ts", "--all"])).stdout).toContain("count");
});

it("names the rank that failed first, with what it said, and ends the others", async () => {
  const project = makeProject({ "ranks.ts": RANKS });
  const { exitCode, stdout } = await project.wf(["run", "ranks.ts", "--param", "broken=2"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/count failed: rank 2 of 4 on \S+: the command ended with exit status 3/);
  expect(stdout).toContain("│ no part for 2");
  expect(stdout).toMatch(/wf logs \S+ count --rank 2/);
  expect(project.ask("SELECT rank FROM rank WHERE is_cause = 1")).toBe(2);
});

itWithPyTorch("trains one model by two processes, and two nodes of one machine are the same", async () => {
  const project = makeProject({});
  const run = (...words: string[]) =>
    project.wf(["run", LUNG_DDP, "--json", "--store", project.path(".wf"), ...TINY, ...words]);
  const two = await run("--param", "processes=2");
  expect(finishOf(two), two.stderr).toMatchObject({ status: "succeeded", metrics: { loss: expect.any(Number) } });
  expect(project.ask("SELECT count(*) FROM rank WHERE task = 'train' AND exit_code = 0")).toBe(2);
  expect(project.ask("SELECT count(*) FROM metric WHERE task = 'train' AND name = 'val_loss'")).toBeGreaterThan(1);
  expect(finishOf(await run("--param", "nodes=2"))).toMatchObject({ metrics: finishOf(two)?.metrics });
  expect(project.ask("SELECT count(*) FROM attempt WHERE task = 'train'")).toBe(1);
});
