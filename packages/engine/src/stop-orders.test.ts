import { expect, test } from "vitest";
import { StopOrders } from "./stop-orders.ts";

const tried = { attempts: 1, failures: {} };
const task = (attempt: string, name: "queued" | "submitted" | "running", isAdopted = false) => ({
  attempt,
  isAdopted,
  state: { name, ...tried },
});
const resting = { attempt: "resting@1", isAdopted: false, state: { name: "resting" as const, untilMs: 5, ...tried } };

/** One task in each state, one of an earlier engine that has not been told of, and one that is run beside the engine. */
const LIVE = [
  task("", "queued"),
  task("submitted@1", "submitted"),
  task("adopted@1", "submitted", true),
  task("glue@1", "submitted"),
  task("running@1", "running"),
  resting,
];
const underWay = {
  live: () => LIVE,
  adopted: () => ["later@1"],
  isInJob: (attempt: string) => attempt !== "glue@1" && attempt !== "elsewhere@1",
};

type Order = Parameters<StopOrders["take"]>[0];
/** What the last of these cancels. */
function cancelled(...orders: readonly Order[]): readonly string[] {
  const stop = new StopOrders();
  for (const order of orders) stop.take(order);
  return stop.toCancel(orders.slice(-1), underWay);
}

const held = (...attempts: string[]): Order => ({ type: "held", attempts });

test("draining takes back what waits, and nothing that runs or may run", () => {
  expect(cancelled({ type: "drain" })).toEqual(["submitted@1"]);
});

test("draining takes back what somebody would have to release", () => {
  expect(cancelled(held("adopted@1", "running@1"), { type: "drain" })).toEqual([
    "submitted@1",
    "adopted@1",
    "running@1",
  ]);
  const released: Order = { type: "released", attempts: ["adopted@1"] };
  expect(cancelled(held("adopted@1"), released, { type: "drain" })).toEqual(["submitted@1"]);
});

test("what is held while the run is drained is taken back at once, if it is in a job", () => {
  expect(cancelled({ type: "drain" }, held("adopted@1", "elsewhere@1"))).toEqual(["adopted@1"]);
  expect(cancelled({ type: "cancel" }, held("adopted@1"))).toEqual(["adopted@1"]);
  expect(cancelled(held("adopted@1"))).toEqual([]);
});

test("what has ended is held by nobody: its task may wait for another try under the old name", () => {
  const stop = new StopOrders();
  stop.take(held("resting@1"));
  stop.forget("resting@1");
  stop.take({ type: "drain" });
  expect(stop.toCancel([{ type: "drain" }], underWay)).toEqual(["submitted@1"]);
});

test("cancelling ends all that is somewhere, and asks nobody for what is nowhere", () => {
  expect(cancelled({ type: "cancel" })).toEqual(["submitted@1", "adopted@1", "glue@1", "running@1", "later@1"]);
});

test("who cancels hands over nothing more, either", () => {
  const stop = new StopOrders();
  expect([stop.isDraining, stop.isCancelling]).toEqual([false, false]);
  stop.take({ type: "drain" });
  expect([stop.isDraining, stop.isCancelling]).toEqual([true, false]);
  const again = new StopOrders();
  again.take({ type: "cancel" });
  expect([again.isDraining, again.isCancelling]).toEqual([true, true]);
});
