/** A success that an earlier version took from a job that the scheduler had ended is found, dropped and made again. */
import { until } from "@wf/testing";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { finishOf, makeProject, type Outcome, type Project } from "../e2e/wf-project.ts";

const COUNTS = `
import { each, file, many, task, workflow, z } from "wf";

const count = task({
  name: "count",
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["sh", "-c", 'echo "$1" > "$2"', "sh", params.i, outputs.text],
});
const all = task({
  name: "all",
  inputs: { texts: many(file("txt")) },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'out="$1"; shift; cat "$@" > "$out"', "sh", outputs.text, ...[inputs.texts]],
});

export default workflow({
  name: "counts",
  build: () => ({ text: all({ texts: each([0, 1, 2]).map((i) => count({}, { i })).text }).text }),
});
`;

/** Times are Unix seconds. */
export interface CancelledJob {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** `cancelledJob`: a real job of that site that ran when somebody cancelled it. */
export async function recheckOn(
  site: object,
  cancelledJob: () => Promise<CancelledJob>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const project = makeProject({ "sites.yaml": JSON.stringify({ sites: { there: site } }), "counts.ts": COUNTS });
  const wf = (...args: readonly string[]) => project.wf([...args, "--json"], { env });
  const runIt = ["run", "counts.ts", "--site", "there"] as const;
  const { run } = finishOf(await wf(...runIt)) as unknown as { run: string };
  const recheck = async () => (await wf("recheck")).events[0];
  const nothing = await until("accounting of all jobs", async () => {
    const report = await recheck();
    return report?.unknown === 0 && report;
  });
  expect(nothing).toMatchObject({ results: 4, dropped: [] });

  storeWrongSuccess(project, "count.1", await cancelledJob());
  const dropped = [{ run, task: "count.1", failure: { class: "cancelled" } }];
  expect((await wf("recheck", "--site", "there", "--dry-run")).events).toMatchObject([{ results: 4, dropped }]);
  expect((await wf("recheck", "--site", "there")).events).toMatchObject([{ results: 4, unknown: 0, dropped }]);
  expect(await recheck()).toMatchObject({ results: 3, dropped: [] });

  const again = await wf(...runIt);
  expect(finishOf(again)).toMatchObject({ status: "succeeded" });
  expect(ran(again)).toEqual(["count.1"]);
  const resumed = await wf("resume", run);
  expect(finishOf(resumed)).toMatchObject({ status: "succeeded" });
}

/** As a version stored it that believed the exit status: the task ended well, in that job, when it was cancelled. */
function storeWrongSuccess(project: Project, task: string, { id, startedAt, endedAt }: CancelledJob): void {
  const db = new Database(project.path(".wf", "wf.db"));
  const attempt = "(SELECT attempts.id FROM attempts JOIN tasks ON tasks.id = task_id WHERE tasks.name = ?)";
  db.prepare(`UPDATE attempts SET started_at = ?, ended_at = ? WHERE id = ${attempt}`).run(startedAt, endedAt, task);
  db.prepare(`UPDATE accounts SET queue_job = ? WHERE attempt_id = ${attempt}`).run(id, task);
  db.close();
}

const ran = ({ events }: Outcome) =>
  events.flatMap(({ type, task }) => (type === "attempt.submitted" ? [task as string] : []));
