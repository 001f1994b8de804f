import {
  above,
  atLeast,
  below,
  both,
  dataset,
  directory,
  each,
  file,
  type Graph,
  inOrder,
  many,
  nothing,
  optional,
  repeat,
  task,
  when,
  workflow,
  zip,
} from "@wf/core";
import { describe, expect, it } from "vitest";
import { drawGraph } from "./draw-graph.ts";
import type { Arrow, Drawing } from "./drawing.ts";

const text = file("txt");
const step = task({
  name: "step",
  inputs: { text, extra: optional(text) },
  outputs: { out: text, notes: directory() },
  metrics: ["score"],
  command: () => ["true"],
});
const join = task({ name: "join", inputs: { texts: many(text) }, outputs: { all: text }, command: () => ["true"] });
const rows = dataset({ image: file("png"), mask: file("png") });
const look = task({ name: "look", inputs: { image: file("png") }, outputs: { seen: text }, command: () => ["true"] });

type Build = Parameters<typeof workflow<{ words: typeof text; scans: typeof rows }>>[0]["build"];

function graphOf(build: Build): Graph {
  return workflow({ name: "drawn", inputs: { words: text, scans: rows }, build }).toGraph();
}

function draw(build: Build): Drawing {
  return drawGraph(graphOf(build));
}

function shown({ from, to, kind, label }: Arrow): string {
  return `${from} ${{ data: "->", control: "~>", order: ".>" }[kind]} ${to}${label === "" ? "" : ` (${label})`}`;
}

function shape(drawing: Drawing, id: string) {
  return drawing.shapes.find((each) => each.id === id);
}

describe("drawGraph", () => {
  it("has a shape for every input, stage and output, and labels only what shapes do not say", () => {
    const drawing = draw(({ inputs }) => {
      const first = step({ text: inputs.words }, {}, { as: "first", resources: { cpus: 4, memory: "8GB", gpus: 1 } });
      const second = step({ text: first.out, extra: first.out }, {}, { as: "second" });
      return { out: second.out, folder: first.notes, score: second.metrics.score };
    });
    expect(drawing.shapes.map(({ kind, label, detail }) => [kind, label, detail])).toEqual([
      ["input", "words", "txt file"],
      ["input", "scans", "dataset of image, mask"],
      ["task", "first", "4 cpus · 8 GB · 1 gpu"],
      ["task", "second", ""],
      ["output", "out", "txt file"],
      ["output", "folder", "folder"],
      ["output", "score", "metric"],
    ]);
    expect(drawing.arrows.map(shown)).toEqual([
      "input words -> first",
      "first -> second (out.txt)",
      "first -> output folder (notes/)",
      "second -> output out",
      "second -> output score",
    ]);
  });

  it("folds a map with one stage into a stack that says how many", () => {
    const drawing = draw(({ inputs }) => {
      const known = each(["a", "b", "c"]).map(() => step({ text: inputs.words }, {}, { as: "known" }).out);
      const unknown = inputs.scans.rows().map(({ image }) => look({ image }).seen);
      const nested = each([1, 2]).map(() =>
        each([1, 2, 3]).map(() => step({ text: inputs.words }, {}, { as: "nested" }).out),
      );
      const again = zip({ one: known, two: known }).map(({ one }) => step({ text: one }, {}, { as: "again" }).out);
      return { all: join({ texts: unknown }).all, nested: nested.flat(), again };
    });
    const counts = ["known", "look", "nested", "again"].map((id) => shape(drawing, id)?.count);
    expect(counts).toEqual(["× 3", "× n", "× 2 × 3", "× 3"]);
    expect(drawing.groups).toEqual([]);
    expect(drawing.arrows.map(shown)).toContain("input scans -> look");
    expect(shape(drawing, "output nested")?.detail).toBe("txt files");
  });

  it("frames a map with several stages once, with what it walks over", () => {
    const drawing = draw(({ inputs }) => {
      const seen = inputs.scans.column("image").map((image) => step({ text: look({ image }).seen }).out);
      return { all: join({ texts: seen }).all };
    });
    expect(drawing.groups).toMatchObject([{ kind: "each", label: "for each image of scans", count: "× n" }]);
    expect([shape(drawing, "look"), shape(drawing, "step")]).toMatchObject([
      { count: undefined, group: drawing.groups[0]?.id },
      { count: undefined, group: drawing.groups[0]?.id },
    ]);
    expect(shape(drawing, "join")?.group).toBeUndefined();
  });

  it("frames each branch of a condition, hung on what decides", () => {
    const drawing = draw(({ inputs }) => {
      const judge = step({ text: inputs.words }, {}, { as: "judge" });
      const chosen = when(
        both(above(judge.metrics.score, 0.5), below(judge.metrics.score, 0.9)),
        () => step({ text: step({ text: inputs.words }, {}, { as: "one" }).out }, {}, { as: "two" }).out,
        () => step({ text: inputs.words }, {}, { as: "other" }).out,
      );
      return { chosen };
    });
    expect(drawing.groups.map(({ kind, label }) => [kind, label.replaceAll("\u00a0", " ")])).toEqual([
      ["when", "if score > 0.5 and score < 0.9"],
      ["when", "if score ≤ 0.5 or score ≥ 0.9"],
    ]);
    const arrows = drawing.arrows.map(shown);
    expect(arrows).toContain("judge ~> one (score)");
    expect(arrows).toContain("judge ~> other (score)");
    expect(arrows.filter((arrow) => arrow.startsWith("judge"))).toHaveLength(2);
    expect(arrows).toContain("two -> output chosen (out.txt)");
    expect(arrows).toContain("other -> output chosen (out.txt)");
  });

  it("frames a loop with its bound, and does not draw the way back", () => {
    const drawing = draw(({ inputs }) => {
      const last = repeat(
        { out: nothing(text) },
        ({ out }) => {
          const again = step({ text: inputs.words, extra: out });
          return { out: again.out, score: again.metrics.score };
        },
        { atMost: 3, until: ({ score }) => atLeast(score, 0.9) },
      );
      return { out: last.out };
    });
    expect(drawing.groups).toMatchObject([{ kind: "repeat", label: "at most 3 times, until score\u00a0≥\u00a00.9" }]);
    expect(drawing.arrows.map(shown)).toEqual(["input words -> step", "step -> output out"]);
  });

  it("puts a used workflow into a group of its own, inside or around a map", () => {
    const part = workflow({
      name: "part",
      inputs: { words: text },
      build({ inputs }) {
        const first = step({ text: inputs.words }, {}, { as: "first" });
        const votes = each([1, 2]).map(() => step({ text: first.out }, {}, { as: "vote" }).out);
        return { all: join({ texts: votes }).all };
      },
    });
    const drawing = draw(({ inputs }) => {
      const images = inputs.scans.rows().map(({ image }) => part({ words: look({ image }).seen }).all);
      return { images, plain: part({ words: inputs.words }).all };
    });
    const nesting = Object.fromEntries(drawing.groups.map(({ id, kind, group }) => [id, [kind, group]]));
    const inner = shape(drawing, "part/first")?.group as string;
    expect(nesting[inner]).toEqual(["part", "map:look"]);
    expect(nesting["map:look"]).toEqual(["each", undefined]);
    expect(shape(drawing, "part/vote")).toMatchObject({ label: "vote", count: "× 2", group: inner });
    const outer = shape(drawing, "part/vote-2")?.group as string;
    expect(nesting[outer]).toEqual(["part", undefined]);
  });

  it("draws what only comes first as an order", () => {
    const drawing = draw(({ inputs }) => {
      const one = step({ text: inputs.words }, {}, { as: "one" });
      const two = step({ text: inputs.words }, {}, { as: "two" });
      inOrder(one, two);
      return { out: two.out };
    });
    expect(drawing.arrows.map(shown)).toContain("one .> two");
  });

  it("draws a workflow without any stage", () => {
    expect(draw(() => ({}))).toMatchObject({ title: "drawn", groups: [], arrows: [] });
  });
});
