import { dataset, each, file, type Graph, json, many, optional, task, workflow } from "@wf/core";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Resolved } from "./resolved.ts";
import { compute, Growth, listed, number } from "./test-unfolding.ts";
import { MemoryValues } from "./test-value-ops.ts";

const scans = dataset({ image: file("png"), n: json(z.number()) });
const show = task({
  name: "show",
  inputs: {
    image: optional(file("png")),
    some: optional(dataset({ n: json(z.number()) })),
    n: optional(json(z.number())),
  },
  command: () => ["show"],
});
const all = task({
  name: "all",
  inputs: { images: many(file("png")) },
  command: ({ inputs }) => ["all", inputs.images],
});

/** Counts how often a column is cut out of a dataset. */
class CountingValues extends MemoryValues {
  picked = 0;
  override pick(...given: Parameters<MemoryValues["pick"]>) {
    this.picked++;
    return super.pick(...given);
  }
}

const values = new CountingValues();
const rows = Array.from({ length: 50 }, (_, n) => ({ image: values.file(`${n}.png`), n: number(n) }));
const given = { scans: values.dataset(rows) };

/** What each input of each task was cut or put together from. */
function originsIn(made: { toGraph(): Graph }): Map<string, readonly Resolved[]> {
  const grown = new Growth(made.toGraph(), given, values);
  const origins = new Map<string, readonly Resolved[]>();
  grown.run((instance) => {
    for (const [name, { ref }] of Object.entries(instance.node.inputs)) {
      origins.set(`${instance.name} ${name}`, grown.unfolding.originsOf(instance, ref));
    }
    return compute(instance);
  });
  return origins;
}

test("a row, a chunk and a column come from their dataset", () => {
  const cut = workflow({
    name: "study",
    inputs: { scans },
    build: ({ inputs }) => {
      inputs.scans.rows().map(({ image }) => show({ image }, {}, { as: "row" }));
      inputs.scans.chunks({ size: 25 }).map((some) => show({ some }, {}, { as: "chunk" }));
      all({ images: inputs.scans.column("image") });
      return {};
    },
  });
  const origins = originsIn(cut);
  expect(origins.get("row.7 image")).toEqual([given.scans]);
  expect(origins.get("chunk.1 some")).toContainEqual(given.scans);
  expect(origins.get("all images")).toEqual([given.scans]);
});

test("an element of a list comes from the list, at any depth", () => {
  const elements = workflow({
    name: "study",
    build: () => {
      const flat = listed({}).all.items();
      flat.map((n) => show({ n }, {}, { as: "element" }));
      const lists = each([1, 2]).map(() => listed({}, {}, { as: "inner" }).all);
      lists.map((list) => list.items().map((n) => show({ n }, {}, { as: "deep" })));
      return {};
    },
  });
  const origins = originsIn(elements);
  expect(origins.get("element.2 n")).toEqual([{ kind: "json", value: [0, 1, 2] }]);
  expect(origins.get("deep.1.0 n")).toEqual([{ kind: "json", value: [0, 1, 2] }]);
});

test("what all items of a fan-out come from is found once, not once an item", () => {
  const images = workflow({
    name: "study",
    inputs: { scans },
    build: ({ inputs }) => {
      const picked = inputs.scans.pick("image").rows();
      picked.map(({ image }) => show({ image }, {}, { as: "row" }));
      return {};
    },
  });
  values.picked = 0;
  expect(originsIn(images).get("row.49 image")).toContainEqual(given.scans);
  expect(values.picked).toBeLessThanOrEqual(3);
});

test("a flat list hands its elements on as they are", () => {
  const flat = workflow({
    name: "study",
    build: () => {
      const lists = each([1, 2]).map(() => each([3, 4]).map((n) => n));
      lists.flat().map((n) => show({ n }, {}, { as: "element" }));
      return {};
    },
  });
  expect(originsIn(flat).get("element.3 n")).toEqual([]);
});
