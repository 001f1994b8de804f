import { tolerate, zip } from "@wf/core";
import { expect, test } from "vitest";
import { add, adding, fails, list, ran, start } from "./test-adding.ts";

const perhaps = () => {
  const sure = add({ all: [] }, {}, { as: "sure" });
  const tried = tolerate(() => add({ all: [add({ all: [] }, {}, { as: "risky" }).n] }, {}, { as: "inside" }).n);
  return { n: add({ all: [tried.orElse(sure.n)] }, {}, { as: "after" }).n };
};

test("a failure that is tolerated stops nothing, and the run succeeds", () => {
  const run = start(perhaps, { behaviour: adding({ risky: fails }) });
  expect(run.finish().status).toBe("succeeded");
  expect(run.store.ends()).toEqual({ after: "done", inside: "skipped", risky: "failed", sure: "done" });
  expect(run.output("n")).toBe(2);
  const [failed] = run.store.ofType("task.ended").filter(({ task }) => task === "risky");
  expect(failed).toMatchObject({ tolerated: true });
});

test("a resumed run does not try again what was tolerated, and tries again what was not", () => {
  const run = start(perhaps, { behaviour: adding({ risky: fails, after: (execution) => (execution ? {} : fails) }) });
  expect(run.finish().status).toBe("failed");
  expect(run.finish().status).toBe("succeeded");
  expect(ran(run).toSorted()).toEqual(["after@1", "after@2", "risky@1", "sure@1"]);
  expect(run.output("n")).toBe(2);
});

test("lists that do not fit together, where that is tolerated, leave a gap", () => {
  const build = () => {
    const [one, two] = [list({}, {}, { as: "one" }).all.items(), list({}, {}, { as: "two" }).all.items()];
    const pairs = () => add({ all: zip({ one, two }).map((pair) => add({ all: [pair.one, pair.two] }).n) }).n;
    return { n: tolerate(pairs).orElse(add({ all: [] }, { n: 9 }, { as: "instead" }).n) };
  };
  const behaviour = adding({ one: { outputs: { all: [1] } }, two: { outputs: { all: [1, 2] } } });
  const run = start(build, { behaviour });
  expect(run.finish().status).toBe("succeeded");
  expect(run.store.ofType("run.broken")).toEqual([expect.objectContaining({ code: "WF_ZIP_LENGTH", tolerated: true })]);
  expect(run.output("n")).toBe(9);
});
