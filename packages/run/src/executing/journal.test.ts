import { afterEach, beforeEach, expect, it } from "vitest";
import { ended, finished, lifeOf, RESOURCES, ready, started, step } from "../testing/facts.ts";
import { StoreFixture } from "../testing/store-fixture.ts";
import { memoryOf } from "./memory.ts";

let fixture: StoreFixture;
let run: string;
beforeEach(() => {
  fixture = new StoreFixture();
  run = fixture.begin({ stages: ["train"] });
});
afterEach(() => fixture.close());

const task = step("train");
const key = "k".repeat(64);

it("keeps an end once, and tells of it once, however often it is replayed", () => {
  fixture.note(run, lifeOf(task, 1, { run }));
  const told = fixture.store.events(run).length;
  fixture.note(run, [ended(task, { state: "failed", replayed: true })]);
  expect(fixture.store.task(run, "train").state).toBe("done");
  expect(fixture.store.events(run)).toHaveLength(told);
});

it("remembers under its key what ended well, and who made it, not who reused it", () => {
  fixture.note(run, [ready(task), ended(task, { state: "failed", key })]);
  expect(fixture.store.cached(key)).toBe(undefined);
  fixture.note(run, [ended(task, { state: "done", key, outputs: {} })]);
  const again = fixture.begin({ stages: ["train"] });
  const cachedFrom = { run, task: "train" };
  fixture.note(again, [ready(task), ended(task, { state: "cached", key, cachedFrom, outputs: {} })]);
  expect(fixture.store.cached(key)).toMatchObject(cachedFrom);
});

it("goes on with the slice after the one that left the last checkpoint", () => {
  const checkpoint = fixture.objects.putBytes(Buffer.from("state"), "state.pt");
  const memory = memoryOf(run, fixture.store.memory(run), fixture.objects, () => true);
  expect(memory.progressOf("train")).toEqual({ slice: 1, checkpoint: null, metrics: {} });
  const failure = { class: "slice-ended", message: "its time was up" } as const;
  const cut = finished(task, { run, failure, metrics: [{ loss: 2 }] }) as Extract<
    ReturnType<typeof finished>,
    { type: "attempt.finished" }
  >;
  fixture.note(run, [
    ready(task),
    { type: "job.submitted", job: "job-train@1", tasks: ["train"], resources: RESOURCES },
    { type: "attempt.submitted", task: "train", attempt: "train@1", job: "job-train@1", number: 1, slice: 1 },
    started(task, 1),
    { ...cut, record: { ...cut.record, checkpoint } },
  ]);
  expect(memory.progressOf("train")).toEqual({ slice: 2, checkpoint, metrics: { loss: { kind: "json", value: 2 } } });
});
