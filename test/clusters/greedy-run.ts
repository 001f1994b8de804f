import { expect } from "vitest";
import { finishOf, makeProject } from "../e2e/wf-project.ts";

const GREEDY = `
import { file, task, workflow } from "wf";

const greedy = task({
  name: "greedy",
  outputs: { text: file("txt") },
  resources: { memory: "200MiB" },
  retries: 1,
  command: ({ outputs }) => [
    "python3", "-c", \`import os, sys, time
x = b"x" * (300 << 20)
if os.environ["WF_ATTEMPT"].endswith("@1"):
    time.sleep(600)  # until somebody ends it for its memory, however long that takes them
open(sys.argv[1], "w").write("fits")\`, outputs.text,
  ],
});

export default workflow({ name: "greedy", build: () => ({ text: greedy({}).text }) });
`;

interface Growth {
  /** The most that a job can have there. */
  readonly mostBytes?: number;
  /** The scheduler ends the job with its launcher, so that only its accounting has seen how much was used. */
  readonly standsOnAccounting?: boolean;
}

/**
 * On this site, a task that needs more memory than it asked for succeeds with its retry, which asks for more: at least
 * twice as much as it asked for, and as it was seen to use, or all that there is.
 */
export async function expectGrowth(
  site: object,
  env: Readonly<Record<string, string>>,
  { mostBytes = Number.POSITIVE_INFINITY, standsOnAccounting = false }: Growth = {},
): Promise<void> {
  process.umask(0);
  const project = makeProject({ "sites.yaml": JSON.stringify({ sites: { login: site } }), "greedy.ts": GREEDY });
  const run = await project.wf(["run", "greedy.ts", "--site", "login", "--json"], { env });
  expect(finishOf(run)).toMatchObject({ status: "succeeded" });
  const asked = run.events.filter(({ type }) => type === "job.submitted").map(({ resources }) => resources);
  expect(asked).toMatchObject([{ memoryBytes: 200 * 2 ** 20 }, { memoryBytes: expect.any(Number) }]);
  const askedBytes = 200 * 2 ** 20;
  const seenBytes = (project.ask<number>("SELECT peak_memory_mb FROM account WHERE attempt LIKE '%@1'") ?? 0) * 1e6;
  if (standsOnAccounting) expect(seenBytes).toBeGreaterThan(askedBytes);
  const wantedBytes = 2 * (standsOnAccounting ? seenBytes : askedBytes);
  expect((asked[1] as { memoryBytes: number }).memoryBytes).toBeGreaterThanOrEqual(Math.min(wantedBytes, mostBytes));
  expect((asked[1] as { memoryBytes: number }).memoryBytes).toBeLessThanOrEqual(mostBytes);
  expect(run.events.find(({ type }) => type === "task.retry")).toMatchObject({ failure: "out-of-memory" });
}
