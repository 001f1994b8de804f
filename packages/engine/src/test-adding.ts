import { fn, type Graph, json, many, task, workflow } from "@wf/core";
import { z } from "zod";
import { plain, type TestOptions, TestRun } from "./test-run.ts";
import type { Behaviour, Outcome } from "./test-site.ts";

export const options = {
  inputs: { all: many(json(z.number())) },
  outputs: { n: json(z.number()) },
  params: z.object({ n: z.number().max(1000).default(1) }),
};
export const add = task({ name: "add", ...options, command: ({ params }) => ["add", params.n] });
export const glue = fn({ name: "glue", ...options, run: () => ({ n: 0 }) });
export const list = task({ name: "list", outputs: { all: json(z.array(z.number())) }, command: () => ["list"] });

/** Adds what it is given; single tasks may take longer or come to something else. */
export function adding(
  special: Readonly<Record<string, Partial<Outcome> | ((execution: number) => Partial<Outcome>)>> = {},
): Behaviour {
  return ({ name, inputs, params }, execution) => {
    const given = special[name] ?? special[name.replace(/\.\d+$/, ".*")] ?? {};
    const sum = ((plain(inputs.all) ?? []) as number[]).reduce((a, b) => a + b, (plain(params.n) ?? 0) as number);
    return { seconds: 1, outputs: { n: sum }, ...(typeof given === "function" ? given(execution) : given) };
  };
}

function graphOf(build: () => object): Graph {
  return workflow({ name: "study", build: build as () => Record<never, never> }).toGraph();
}

export function start(build: () => object, { behaviour = adding(), ...changes }: Partial<TestOptions> = {}): TestRun {
  return new TestRun(graphOf(build), { behaviour, ...changes });
}

export const ran = (run: TestRun) => run.site.executions.map(({ attempt }) => attempt);
export const fails: Partial<Outcome> = { failure: "exit" };
