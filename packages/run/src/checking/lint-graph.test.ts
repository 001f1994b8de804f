import { asModel, each, file, many, task, workflow } from "@wf/core";
import { describe, expect, it } from "vitest";
import { lintGraph } from "./lint-graph.ts";

const text = file("txt");
const declareStep = () => task({ name: "step", inputs: { text }, outputs: { out: text }, command: () => ["true"] });
const step = declareStep();
const join = task({ name: "join", inputs: { texts: many(text) }, outputs: { all: text }, command: () => ["true"] });

type Build = Parameters<typeof workflow<{ words: typeof text }>>[0]["build"];

function findingsOf(build: Build): string[] {
  const graph = workflow({ name: "linted", inputs: { words: text }, build }).toGraph();
  return lintGraph(graph, "flow.ts").map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
}

describe("lintGraph", () => {
  it("is silent about a graph without slips", () => {
    const findings = findingsOf(({ inputs }) => {
      const once = step({ text: inputs.words });
      const twice = step({ text: once.out }, {}, { as: "again" });
      const grid = each([1, 2]).map(() => step({ text: twice.out }, {}, { as: "grid" }).out);
      return { all: join({ texts: grid }).all };
    });
    expect(findings).toEqual([]);
  });

  it("names inputs and results that nobody uses", () => {
    const start = task({ name: "start", outputs: { out: text }, command: () => ["true"] });
    const ping = task({ name: "ping", command: () => ["true"] });
    const findings = findingsOf(() => {
      start({});
      ping({});
      return {};
    });
    expect(findings).toEqual([
      'warning unused-input: input "words" of the workflow is not used',
      'warning unused-result: nothing uses what "start" makes',
    ]);
  });

  it("counts a metric that a model is registered with as a use", () => {
    const score = task({
      name: "score",
      inputs: { text },
      outputs: { report: text },
      metrics: ["dice"],
      command: () => ["true"],
    });
    const findings = findingsOf(({ inputs }) => {
      const { out } = step({ text: inputs.words });
      return { model: asModel("m", out, { dice: score({ text: out }).metrics.dice }) };
    });
    expect(findings).toEqual([]);
  });

  it("names two tasks that share a name, and calls that got a number", () => {
    const other = declareStep();
    const findings = findingsOf(({ inputs }) => ({
      one: step({ text: inputs.words }).out,
      two: other({ text: inputs.words }).out,
    }));
    expect(findings).toEqual([
      'warning task-named-twice: two tasks are called "step"',
      'warning stage-numbered: "step" is called more than once; this call is known as "step-2"',
    ]);
  });

  it("does not ask for names in a part that is used twice", () => {
    const part = workflow({
      name: "part",
      inputs: { words: text },
      build: ({ inputs }) => ({ out: step({ text: inputs.words }).out }),
    });
    const findings = findingsOf(({ inputs }) => ({
      one: part({ words: inputs.words }).out,
      two: part({ words: inputs.words }).out,
    }));
    expect(findings).toEqual([]);
  });

  it("asks once for the time limit of a fit", () => {
    const fit = task({
      name: "fit",
      inputs: { words: text },
      outputs: { model: text },
      fits: true,
      command: () => ["true"],
    });
    const words = task({ name: "words", outputs: { out: text.as("train") }, command: () => ["true"] });
    const findings = findingsOf(({ inputs }) => {
      const { out } = words({});
      const all = [fit({ words: out }).model, fit({ words: out }, {}, { as: "second" }).model];
      return { all: join({ texts: [...all, inputs.words] }).all };
    });
    expect(findings).toEqual(['warning no-time-limit: "fit" has no time limit']);
  });
});
