import { describe, expect, test } from "vitest";
import { largeRecordings, recording, recordings, VERSIONS } from "../testing/recording.ts";
import { showJobId } from "./job-id.ts";
import { parseSqueue } from "./parse-squeue.ts";
import { classifyReason } from "./pending-reason.ts";

describe.each(VERSIONS)("%s", (version) => {
  const rows = parseSqueue(recording(version, "squeue-all.pending").stdout);
  const row = (id: string) => rows.find(({ jobs }) => jobs.some((job) => showJobId(job) === id));

  test("every line is read, and every state is known", () => {
    const lines = recording(version, "squeue-all.pending").stdout.trim().split("\n");
    expect(rows).toHaveLength(lines.length);
    expect(rows.filter(({ state }) => state === null)).toEqual([]);
  });

  test("states, reasons and nodes", () => {
    expect(row("67")).toMatchObject({ state: "running", nodes: "c[1-2],g[1-2]" });
    expect(row("61")).toMatchObject({ state: "cancelled", reason: "job requeued in held state", nodes: "" });
    expect(row("12")).toMatchObject({ state: "out-of-memory" });
    expect(row("79_3")).toMatchObject({ state: "waiting", reason: "Priority" });
    expect(row("8")?.reason).toBe(version === "slurm-22.05" ? "JobLaunchFailure" : "RaisedSignal:9(Killed)");
  });

  test("a line that stands for a range of an array", () => {
    const ranges = parseSqueue(recording(version, "squeue-all.no-r").stdout);
    expect(ranges.find(({ jobs }) => jobs[0]?.id === "79")?.jobs).toHaveLength(10);
    expect(ranges.find(({ jobs }) => jobs[0]?.id === "48")?.jobs.map(showJobId)).toEqual(["48_1", "48_3", "48_4"]);
  });
});

test("what is no line of a queue says nothing", () => {
  expect(parseSqueue("\nslurm_load_jobs error\nJOBID|x\n12|12|RUNNING\n")).toEqual([]);
});

const large = largeRecordings();
test.skipIf(large === null)("every reason that was recorded has its class (WF_TEST_CLUSTERS)", () => {
  const classes = new Map<string, string>();
  for (const version of VERSIONS) {
    for (const { stdout } of recordings(version, large as string, /^(pending|tiny)-.*\.squeue$/)) {
      for (const { state, reason } of parseSqueue(stdout))
        if (state === "waiting") classes.set(reason, classifyReason(reason));
    }
  }
  expect(classes.size).toBeGreaterThan(15);
  expect([...classes].filter(([, waiting]) => waiting === "unknown")).toEqual([]);
});
