import { StoreFixture } from "@wf/run/testing";
import { thisProcess } from "@wf/store";
import { until } from "@wf/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CapturedScreen } from "../testing/captured-screen.ts";
import { cancel } from "./cancel.ts";

let fixture: StoreFixture;
let run: string;
beforeEach(() => {
  fixture = new StoreFixture();
  run = fixture.begin({ stages: [] });
});
afterEach(() => fixture.close());

it("asks the owner, and tells that the run has ended", async () => {
  fixture.store.acquireLease(run);
  const screen = new CapturedScreen();
  const asking = cancel(undefined, fixture.options, screen);
  let requests: { kind: string }[] = [];
  await until("the request", () => {
    requests = [...requests, ...fixture.store.takeRequests(run)];
    return requests.length > 0;
  });
  expect(requests).toMatchObject([{ kind: "cancel" }]);
  fixture.end(run, "cancelled");
  expect(await asking).toBe(0);
  expect(screen.lines).toEqual([`${run} was cancelled`, `  next  wf resume ${run}`]);
});

it("does not wait when it only asks for an end after what runs", async () => {
  fixture.store.acquireLease(run);
  const screen = new CapturedScreen();
  await cancel(run, { ...fixture.options, drain: true }, screen);
  expect(screen.lines[0]).toBe(
    `process ${process.pid} on ${thisProcess().host} was asked to stop when what runs now has finished`,
  );
  expect(fixture.store.takeRequests(run)).toMatchObject([{ kind: "drain" }]);
});

it("says that the owner is gone and what to type", async () => {
  fixture.store.acquireLease(run, { ...thisProcess(), pid: 2 ** 22 + 1 });
  const screen = new CapturedScreen();
  await expect(cancel(run, fixture.options, screen)).rejects.toMatchObject({
    code: "WF_USAGE",
    message: expect.stringContaining("is gone"),
    hint: expect.stringContaining(`wf resume ${run}`),
  });
});

it("says that a run is over", async () => {
  fixture.end(run, "succeeded");
  const screen = new CapturedScreen();
  await expect(cancel(run, fixture.options, screen)).rejects.toMatchObject({ message: `${run} is over: succeeded` });
});
