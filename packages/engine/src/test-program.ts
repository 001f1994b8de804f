import {
  atLeast,
  each,
  file,
  fn,
  type Graph,
  type JsonHandle,
  json,
  many,
  repeat,
  series,
  task,
  tolerate,
  when,
  workflow,
  zip,
} from "@wf/core";
import { canonical, type Json } from "@wf/protocol";
import fc from "fast-check";
import { z } from "zod";
import { plain } from "./test-run.ts";
import type { Behaviour } from "./test-site.ts";

/** A small language whose programs become workflows: every statement makes one more number from those before it. */
export type Statement =
  | { readonly kind: "task"; readonly uses: readonly number[]; readonly isGlue: boolean }
  /** Of several slices. */
  | { readonly kind: "long"; readonly uses: readonly number[] }
  | { readonly kind: "each"; readonly size: number; readonly body: Program }
  | { readonly kind: "grown"; readonly uses: readonly number[]; readonly body: Program }
  | { readonly kind: "pairs"; readonly uses: readonly number[]; readonly body: Program }
  | {
      readonly kind: "when";
      readonly on: number;
      readonly limit: number;
      readonly yes: Program;
      readonly no: Program | null;
    }
  | {
      readonly kind: "repeat";
      readonly from: number;
      readonly atMost: number;
      readonly limit: number;
      readonly body: Program;
    }
  | { readonly kind: "series"; readonly count: number; readonly window: number; readonly body: Program }
  | { readonly kind: "tolerate"; readonly instead: number; readonly body: Program };
export type Program = readonly Statement[];

const earlier = fc.nat({ max: 5 });
const uses = fc.array(earlier, { maxLength: 3, size: "max" });
const limit = fc.nat({ max: 9 });

/** Programs of at most so many statements, which are nested at most so deep. */
export function programs(mostStatements: number, maxDepth: number): fc.Arbitrary<Program> {
  const { statement } = fc.letrec<{ statement: Statement; body: Program }>((tie) => ({
    body: fc.array(tie("statement"), { minLength: 1, maxLength: 2, size: "max", depthIdentifier: "nesting" }),
    statement: fc.oneof(
      { maxDepth, depthIdentifier: "nesting", depthSize: "max" },
      fc.record({ kind: fc.constant("task" as const), uses, isGlue: fc.boolean() }),
      fc.record({ kind: fc.constant("long" as const), uses }),
      fc.record({ kind: fc.constant("each" as const), size: fc.nat({ max: 4 }), body: tie("body") }),
      fc.record({ kind: fc.constant("grown" as const), uses, body: tie("body") }),
      fc.record({ kind: fc.constant("pairs" as const), uses, body: tie("body") }),
      fc.record({
        kind: fc.constant("when" as const),
        on: earlier,
        limit,
        yes: tie("body"),
        no: fc.option(tie("body")),
      }),
      fc.record({
        kind: fc.constant("repeat" as const),
        from: earlier,
        atMost: fc.integer({ min: 1, max: 3 }),
        limit,
        body: tie("body"),
      }),
      fc.record({
        kind: fc.constant("series" as const),
        count: fc.integer({ min: 1, max: 5 }),
        window: fc.integer({ min: 1, max: 3 }),
        body: tie("body"),
      }),
      fc.record({ kind: fc.constant("tolerate" as const), instead: earlier, body: tie("body") }),
    ),
  }));

  return fc.array(statement, { minLength: 1, maxLength: mostStatements, size: "max" });
}

export const program = programs(4, 3);

const options = {
  inputs: { all: many(json(z.number())) },
  outputs: { n: json(z.number()) },
  params: z.object({ n: z.number(), item: z.number().optional() }),
};
const work = task({ name: "work", ...options, metrics: ["score"], command: ({ params }) => ["work", params.n] });
const long = task({
  name: "long",
  inputs: options.inputs,
  outputs: { ...options.outputs, state: file() },
  params: options.params,
  metrics: ["score"],
  resumable: { checkpoint: "state" },
  command: ({ params, outputs }) => ["long", params.n, outputs.state],
});
const glue = fn({ name: "glue", ...options, run: () => ({ n: 0 }) });
const list = task({
  name: "list",
  inputs: options.inputs,
  outputs: { all: json(z.array(z.number())) },
  params: options.params,
  command: ({ params }) => ["list", params.n],
});

type NumberHandle = JsonHandle<number>;
interface Surroundings {
  readonly numbers: readonly NumberHandle[];
  readonly item?: NumberHandle;
}

/** The workflow of a program; all numbers of its outermost level are outputs. */
export function graphOf(statements: Program): Graph {
  return workflow({
    name: "program",
    build: () => {
      const start = work({ all: [] }, { n: 1 }, { as: "start" }).n;
      const numbers = build(statements, { numbers: [start] });
      return Object.fromEntries(numbers.map((number, index) => [`n${index}`, number]));
    },
  }).toGraph();
}

function build(statements: Program, around: Surroundings): NumberHandle[] {
  const numbers = [...around.numbers];
  for (const statement of statements) numbers.push(numberOf(statement, { ...around, numbers }));
  return numbers;
}

function last(statements: Program, around: Surroundings): NumberHandle {
  return build(statements, around).at(-1) as NumberHandle;
}

function numberOf(statement: Statement, around: Surroundings): NumberHandle {
  const { numbers, item } = around;
  const at = (index: number) => numbers[index % numbers.length] as NumberHandle;
  const params = (n: number) => ({ n, ...(item ? { item } : {}) });
  switch (statement.kind) {
    case "task": {
      const all = statement.uses.map(at);
      return statement.isGlue ? glue({ all }, params(2)).n : work({ all }, params(3)).n;
    }
    case "long":
      return long({ all: statement.uses.map(at) }, params(12)).n;
    case "each": {
      const mapped = each(Array.from({ length: statement.size }, (_, i) => i)).map((one) =>
        last(statement.body, { numbers, item: one }),
      );
      return work({ all: mapped }, params(4)).n;
    }
    case "grown": {
      const listed = list({ all: statement.uses.map(at) }, params(5)).all;
      return work({ all: listed.items().map((one) => last(statement.body, { numbers, item: one })) }, params(6)).n;
    }
    case "pairs": {
      const listed = list({ all: statement.uses.map(at) }, params(7)).all;
      const doubled = listed.items().map((one) => last(statement.body, { numbers, item: one }));
      const pairs = zip({ one: listed.items(), other: doubled }).map(
        ({ one, other }) => work({ all: [one, other] }, { n: 8 }).n,
      );
      return work({ all: pairs }, params(9)).n;
    }
    case "when": {
      const yes = () => last(statement.yes, around);
      const { no } = statement;
      const holds = atLeast(at(statement.on), statement.limit);
      return no ? when(holds, yes, () => last(no, around)) : when(holds, yes).orElse(at(statement.on));
    }
    case "repeat": {
      const until = ({ n }: { readonly n: NumberHandle }) => atLeast(n, statement.limit);
      const round = ({ n }: { readonly n: NumberHandle }, number: NumberHandle) => ({
        n: last(statement.body, { numbers: [...numbers, n], item: number }),
      });
      return repeat({ n: at(statement.from) }, round, { atMost: statement.atMost, until }).n;
    }
    case "series": {
      const { count, window } = statement;
      const rounds = series({ count, window, gives: { n: json(z.number()) } }, (earlierRounds, number) => {
        const seen = work({ all: earlierRounds.n }, { n: 10, item: number }).n;
        return { n: last(statement.body, { numbers: [...numbers, seen], item: number }) };
      });
      return work({ all: rounds.n }, params(11)).n;
    }
    case "tolerate":
      return tolerate(() => last(statement.body, around)).orElse(at(statement.instead));
  }
}

/** A number between 0 and `below` that belongs to a text: its FNV-1a hash, since programs ask often. */
function drawn(text: string, below: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % below;
}

export interface Failing {
  /** Some tasks fail once or twice before they succeed. */
  readonly sometimes: boolean;
  /** Some tasks always fail. */
  readonly always: boolean;
}

/** What tasks of a program come to: it follows from what they are given, so that tasks of one key come to the same. */
export function behaviourOf(failing: Failing): Behaviour {
  return ({ name, node, inputs, params }, execution, goesOnFrom) => {
    const sum = (plain(inputs.all) as number[]).reduce((a, b) => a + b, 0);
    const item = params.item ? (plain(params.item) as number) : 0;
    const n = (3 * sum + 7 * (plain(params.n) as number) + item + 1) % 10;
    const seconds = drawn(`seconds of ${name}`, 4);
    const fate = drawn(`fate of ${node.declaration.name} ${canonical([plain(inputs.all), item, n] as Json)}`, 12);
    if (failing.always && fate === 0) return { seconds, failure: "exit" };
    if (failing.sometimes && ((fate === 1 && execution < 2) || (fate <= 3 && execution < 1))) {
      return { seconds, failure: fate === 2 ? "out-of-memory" : "exit" };
    }
    const isLong = node.declaration.name === "long";
    if (isLong && goesOnFrom < 1 + (fate % 3)) {
      return {
        seconds,
        failure: fate % 2 ? "slice-ended" : "preempted",
        leaves: goesOnFrom + 1,
        metrics: { score: n },
      };
    }
    // What it made in its earlier slices has to be there in the end.
    if (isLong) return { seconds, outputs: { n: (n + goesOnFrom) % 10 } };
    if (node.declaration.name !== "list") return { seconds, outputs: { n }, metrics: { score: n / 10 } };
    return { seconds, outputs: { all: Array.from({ length: n % 4 }, (_, i) => i) } };
  };
}

/** Jobs of some tasks are ended from outside the first time, and the tasks leave something wrong that looks like a success. */
export function endedFromOutside(behaviour: Behaviour): Behaviour {
  return (task, execution, goesOnFrom) => {
    const outcome = behaviour(task, execution, goesOnFrom);
    const { outputs } = outcome;
    const isGlue = task.node.declaration.runtime.kind === "fn";
    if (isGlue || !outputs || execution > 0 || drawn(`end of ${task.name}`, 3) > 0) return outcome;
    const wrong =
      "all" in outputs ? { all: [3, 1, 2].slice(drawn(task.name, 3)) } : { n: ((outputs.n as number) + 5) % 10 };
    return { ...outcome, outputs: wrong, isEndedFromOutside: true };
  };
}
