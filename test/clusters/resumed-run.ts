/** Law: a run that was killed goes on as it was planned: the same slices, nodes, jobs and ways of data. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { expect } from "vitest";
import { COUNT_TOGETHER } from "../cluster/sliced-ranks.ts";
import { makeProject } from "../e2e/wf-project.ts";
import { openFolder } from "./open-folder.ts";

const ITEMS = 4;
const PER_JOB = 2;

/** What a site lets a job take, and what its plan makes of that. */
export interface ResumedPlan {
  readonly nodes: number;
  readonly processes: number;
  /** Of each job of the training. */
  readonly timeLimitSeconds: number;
  /** Where a task reads its inputs: in the content of the site, or in what its own job has. */
  readonly reads: "content" | "own";
}

const flow = ({ nodes, processes }: ResumedPlan, time: string) => `
import { directory, each, file, many, task, workflow, z } from "wf";
const count = task({
  name: "count",
  outputs: { counts: directory() },
  params: z.object({ goal: z.number(), ledger: z.string() }),
  code: { script: "./count.py" },
  resources: { nodes: ${nodes}, processes: ${processes}, time: "${time}" },
  resumable: { checkpoint: "counts", warn: "4s" },
  command: ({ code, params, outputs }) => ["python3", code.script, params.goal, outputs.counts, params.ledger],
});
const look = task({
  name: "look",
  inputs: { counts: directory() },
  params: z.object({ item: z.number(), storage: z.string() }),
  outputs: { seen: file("txt") },
  command: ({ inputs, params, outputs }) => [
    "sh", "-c", 'case $(readlink -f "$1/0") in "$3"/objects/*) echo content;; *) echo own;; esac > "$2"', "sh", inputs.counts, outputs.seen, params.storage, params.item,
  ],
});
const gather = task({
  name: "gather",
  inputs: { seen: many(file("txt")) },
  outputs: { all: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'o=$1; shift; cat "$@" > "$o"', "sh", outputs.all, inputs.seen],
});
export default workflow({
  name: "resumed",
  params: z.object({ goal: z.number(), ledger: z.string(), storage: z.string() }),
  build: ({ params: { goal, ledger, storage } }) => {
    const { counts } = count({}, { goal, ledger });
    const items = Array.from({ length: ${ITEMS} }, (_, item) => item);
    return { all: gather({ seen: each(items).map((item) => look({ counts }, { item, storage })).seen }).all };
  },
});
`;

/** Kills wf while the training runs, resumes, and compares what was submitted after that with the plan. */
export async function expectResumedAsPlanned(
  shared: string,
  site: { readonly storage: string },
  time: string,
  goal: number,
  plan: ResumedPlan,
): Promise<void> {
  const ledger = join(openFolder(shared, "ledger-"), "ledger");
  const clustering = { strategy: "horizontal", tasksPerJob: PER_JOB };
  const project = makeProject({
    "flow.ts": flow(plan, time),
    "count.py": COUNT_TOGETHER,
    "sites.yaml": JSON.stringify({ sites: { cluster: { ...site, clustering } } }),
  });
  const params = [`goal=${goal}`, `ledger=${ledger}`, `storage=${site.storage}`].flatMap((param) => ["-p", param]);
  const words = ["run", "flow.ts", "--json", "--site", "cluster", ...params];
  const { child, ended } = project.start(words);
  const begun = () => (existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : []);
  const ranks = plan.nodes * plan.processes;
  await until("every rank has begun", () => child.exitCode !== null || begun().length >= ranks);
  child.kill("SIGKILL");
  await ended;
  const [run = ""] = project.runs();

  const { stdout, stderr } = await project.wf(["resume", "last", "--json"]);
  expect(project.ask("SELECT status FROM run"), stdout + stderr).toBe("succeeded");
  const first = "SELECT failure FROM attempt WHERE stage = 'count' ORDER BY number LIMIT 1";
  expect(project.ask(first)).toBe("slice-ended");
  const jobs = `SELECT json_group_array(DISTINCT json_array(tasks, json_extract(resources, '$.nodes'),
    json_extract(resources, '$.processes'), json_extract(resources, '$.cpus'), json_extract(resources, '$.timeLimitSeconds')))
    FROM jobs WHERE name LIKE ?`;
  const jobsOf = (stage: string) => JSON.parse(project.ask<string>(jobs, `%${stage}%`) ?? "[]");
  expect(jobsOf("count")).toEqual([[1, plan.nodes, plan.processes, 1, plan.timeLimitSeconds]]);
  expect(jobsOf("look").map(([tasks]: [number]) => tasks)).toEqual([PER_JOB]);
  expect(project.read(".wf", "runs", run, "outputs", "all.txt")).toBe(`${plan.reads}\n`.repeat(ITEMS));
}
