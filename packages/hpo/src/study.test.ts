import { describe, expect, test } from "vitest";
import { choice, uniform } from "./parameters.ts";
import { asha } from "./pruner.ts";
import { bestOf, paretoFront, Study } from "./study.ts";
import { tpe } from "./tpe.ts";
import { type Direction, endedTrial, type Trial } from "./trial.ts";

function studyOf(directions: readonly Direction[], trials: readonly Trial[]): Study {
  return {
    version: 1,
    space: { x: uniform(0, 1), kind: choice(["a", "b"]) },
    objectives: directions.map((direction, objective) => ({ name: `score${objective}`, direction })),
    sampler: tpe({ seed: 1 }),
    pruner: asha({ rungs: [1, 3] }),
    window: 4,
    trials: [...trials],
  };
}

const trial = (index: number, ...values: readonly number[]) =>
  endedTrial({ index, setting: { x: index / 10, kind: "a" }, values });
const pruned = endedTrial({ index: 9, setting: {}, values: null, rungs: [{ budget: 1, value: -9 }], isPruned: true });

describe("a study", () => {
  test("is a document that can be read back", () => {
    const study = studyOf(["maximise"], [trial(0, 0.5), trial(1, Number.NaN), pruned]);
    expect(Study.parse(JSON.parse(JSON.stringify(study)))).toEqual(study);
    expect(Study.safeParse({ ...study, version: 2 }).success).toBe(false);
    expect(Study.safeParse({ ...study, trials: [{ ...trial(0, 0.5), values: null }] }).success).toBe(false);
  });

  test("has a best trial: complete, by direction, the earliest of equals", () => {
    const trials = [trial(3, 2), trial(1, 5), trial(2, 1), trial(0, 2), trial(4, 1), trial(5, Number.NaN), pruned];
    expect(bestOf(studyOf(["minimise"], trials))?.index).toBe(2);
    expect(bestOf(studyOf(["maximise"], trials))?.index).toBe(1);
    expect(bestOf(studyOf(["minimise"], [trial(0, Number.POSITIVE_INFINITY), pruned]))).toBeUndefined();
    expect(bestOf(studyOf(["minimise"], []))).toBeUndefined();
  });

  test("has a front: what nothing else beats in every objective", () => {
    const trials = [trial(2, 1, 1), trial(0, 3, 3), trial(1, 2, 0), trial(3, 1, 1), trial(4, 3, 2), pruned];
    const front = (...directions: Direction[]) => paretoFront(studyOf(directions, trials)).map(({ index }) => index);
    expect(front("minimise", "minimise")).toEqual([1, 2, 3]);
    expect(front("maximise", "maximise")).toEqual([0]);
    expect(front("minimise", "maximise")).toEqual([0, 2, 3]);
    expect(bestOf(studyOf(["minimise", "minimise"], trials))?.index).toBe(2);
  });
});
