import { sampleJob, sampleTask } from "@wf/backend/testing";
import { type JobSpec, type Value, WfError } from "@wf/protocol";
import { expect, it } from "vitest";
import { sendInputs } from "./send-inputs.ts";

const file = (hash: string): Value => ({ kind: "file", hash, size: 1, name: `${hash}.txt` });
const jobOf = (number: number): JobSpec =>
  sampleJob([
    sampleTask(`upper.${number}@1`, {
      inputs: [
        { name: "code", path: "code/upper.py", value: file("code"), how: "link" },
        { name: "part", path: "part", value: file(`part ${number}`), how: "link" },
      ],
    }),
  ]);
const JOBS = Array.from({ length: 64 }, (_, number) => jobOf(number));

/** Sends what is not damaged, and counts how often it is asked. */
function sender(
  damaged: readonly string[],
  error = new WfError("WF_SITE_CHECKSUM", "it is damaged", { where: "here" }),
) {
  const sent = new Set<string>();
  let calls = 0;
  const send = async (values: readonly Value[]) => {
    calls += 1;
    const names = values.map((value) => (value.kind === "file" ? value.hash : ""));
    if (names.some((name) => damaged.includes(name))) throw error;
    for (const name of names) sent.add(name);
  };
  return { send, sent, calls: () => calls };
}

it("sends everything in one call where nothing is wrong", async () => {
  const { send, calls } = sender([]);
  expect(await sendInputs(JOBS, send)).toEqual([]);
  expect(calls()).toBe(1);
});

it("finds the jobs of damaged files in few calls, names the input, and sends all others", async () => {
  const { send, sent, calls } = sender(["part 7", "part 40"]);
  expect(await sendInputs(JOBS, send)).toEqual(
    [7, 40].map((number) => ({
      job: JOBS[number],
      failure: { class: "stage-in", message: "input part cannot be sent to the site: it is damaged (here)" },
    })),
  );
  expect(sent.size).toBe(JOBS.length - 2 + 1);
  expect(calls()).toBeLessThan(JOBS.length / 2);
});

it("blames no task for what concerns all of them", async () => {
  const { send } = sender(["part 7"], new WfError("WF_DISK_FULL", "the disk is full"));
  await expect(sendInputs(JOBS, send)).rejects.toMatchObject({ code: "WF_DISK_FULL" });
});
