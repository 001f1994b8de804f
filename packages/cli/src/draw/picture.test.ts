import { describe, expect, it } from "vitest";
import { toDot } from "./dot.ts";
import type { Drawing, Shape } from "./drawing.ts";
import { layOut } from "./layout.ts";
import { toMermaid } from "./mermaid.ts";
import { toSvg } from "./svg.ts";

const PLAIN: Omit<Shape, "id"> = {
  kind: "task",
  label: "step",
  detail: "",
  count: undefined,
  fits: false,
  note: "",
  group: undefined,
};

/** Two columns that meet, one of them in a stacked group inside a dashed one. */
const DRAWING: Drawing = {
  title: "picture",
  groups: [
    {
      id: "maybe",
      kind: "when",
      label: "if score\u00a0>\u00a01 and the sun shines on a long day",
      count: undefined,
      group: undefined,
    },
    { id: "map", kind: "each", label: "for each row", count: "× n", group: "maybe" },
  ],
  shapes: [
    { ...PLAIN, id: "in", kind: "input", label: "words", detail: "txt file" },
    { ...PLAIN, id: "a", label: "first", detail: "python · 8 cpus · 16 GB · 1 gpu", fits: true },
    { ...PLAIN, id: "b", label: "second", group: "map" },
    { ...PLAIN, id: "c", label: "third", group: "map" },
    { ...PLAIN, id: "d", label: "stack", count: "× 12" },
    { ...PLAIN, id: "out", kind: "output", label: "report" },
  ],
  arrows: [
    { from: "in", to: "a", kind: "data", label: "" },
    { from: "a", to: "b", kind: "control", label: "score" },
    { from: "a", to: "d", kind: "data", label: "model.pt, table.csv" },
    { from: "b", to: "c", kind: "data", label: "out" },
    { from: "c", to: "out", kind: "data", label: "all" },
    { from: "d", to: "out", kind: "order", label: "" },
  ],
};

const HOSTILE = `</text><script>alert("1 & 2")</script>'\u0007\ud800`;
const hostile: Drawing = {
  title: HOSTILE,
  groups: [{ id: "g", kind: "part", label: HOSTILE, count: HOSTILE, group: undefined }],
  shapes: [
    { ...PLAIN, id: HOSTILE, label: HOSTILE, detail: HOSTILE, count: HOSTILE, note: HOSTILE, group: "g" },
    { ...PLAIN, id: "b" },
  ],
  arrows: [{ from: HOSTILE, to: "b", kind: "data", label: HOSTILE }],
};

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(a: Area, b: Area): boolean {
  return Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
}

function isWithin(inner: Area, outer: Area): boolean {
  return (
    Math.abs(inner.x - outer.x) <= (outer.width - inner.width) / 2 &&
    Math.abs(inner.y - outer.y) <= (outer.height - inner.height) / 2
  );
}

describe("layOut", () => {
  const layout = layOut(DRAWING);
  const canvas = { x: layout.width / 2, y: layout.height / 2, width: layout.width, height: layout.height };

  it("keeps shapes and headings apart and on the canvas", () => {
    const areas: Area[] = [...layout.shapes, ...layout.groups.map(({ heading }) => heading)];
    for (const [i, area] of areas.entries()) {
      expect(isWithin(area, canvas)).toBe(true);
      for (const other of areas.slice(i + 1)) expect(overlap(area, other)).toBe(false);
    }
  });

  it("frames exactly what is inside", () => {
    const frame = (id: string) => layout.groups.find((group) => group.id === id) as Area;
    expect(isWithin(frame("map"), frame("maybe"))).toBe(true);
    expect(isWithin(frame("maybe"), canvas)).toBe(true);
    for (const shape of layout.shapes) {
      const isInside = shape.id === "b" || shape.id === "c";
      expect(isWithin(shape, frame("map"))).toBe(isInside);
      expect(overlap(shape, frame("maybe"))).toBe(isInside);
    }
  });

  it("lets arrows run downwards from edge to edge", () => {
    for (const { from, to, points } of layout.arrows) {
      const [source, target] = [from, to].map((id) => layout.shapes.find((shape) => shape.id === id) as Area);
      expect(points[0]?.y).toBeCloseTo((source as Area).y + (source as Area).height / 2);
      expect(points.at(-1)?.y).toBeCloseTo((target as Area).y - (target as Area).height / 2);
      for (const [i, point] of points.slice(1).entries())
        expect(point.y).toBeGreaterThanOrEqual(points[i]?.y as number);
    }
  });
});

describe("toSvg", () => {
  it("draws stacks as three sheets and conditions as dashed lines", () => {
    const svg = toSvg(DRAWING);
    expect(svg.match(/class="group each"/g)).toHaveLength(3);
    expect(svg.match(/class="group when"/g)).toHaveLength(1);
    expect(svg.match(/class="task"/g)).toHaveLength(2 + 3);
    expect(svg.match(/class="task fits"/g)).toHaveLength(1);
    expect(svg).toContain('class="arrow control"');
    expect(svg).toContain("prefers-color-scheme: dark");
  });

  it("is the same every time", () => {
    expect(toSvg(DRAWING)).toBe(toSvg(structuredClone(DRAWING)));
  });

  it("escapes whatever a name holds", () => {
    const svg = toSvg(hostile);
    const tags = new Set([...svg.matchAll(/<\/?([^\s>/]*)/g)].map(([, name]) => name));
    expect([...tags].sort()).toEqual(["defs", "g", "marker", "path", "rect", "style", "svg", "text", "title", "tspan"]);
    expect(svg.replaceAll(/&(amp|lt|gt|quot|#39);/g, "")).not.toContain("&");
    for (const unwritable of ["\u0007", "\ud800"]) expect(svg).not.toContain(unwritable);
  });
});

describe("toMermaid", () => {
  it("nests groups and keeps the kinds of arrows apart", () => {
    expect(toMermaid(DRAWING).split("\n").slice(3)).toEqual([
      "flowchart TD",
      '  subgraph n0["if score #62; 1 and the sun shines on a long day"]',
      '    subgraph n1["for each row × n"]',
      '      n4["second"]',
      '      n5["third"]',
      "    end",
      "  end",
      "  style n0 stroke-dasharray: 5 4",
      '  n2(["words<br>txt file"])',
      '  n3["first<br>python · 8 cpus · 16 GB · 1 gpu"]:::fits',
      '  n6[["stack × 12"]]',
      '  n7(["report"])',
      "  n2 --> n3",
      '  n3 -.->|"score"| n4',
      '  n3 -->|"model.pt, table.csv"| n6',
      '  n4 -->|"out"| n5',
      '  n5 -->|"all"| n7',
      "  n6 -.-> n7",
      "  classDef fits stroke:#c8811a",
      "",
    ]);
  });

  it("escapes whatever a name holds", () => {
    const labels = toMermaid(hostile).split("\n").slice(3).join("\n").replaceAll("<br>", "");
    expect(labels).not.toMatch(/[<&]|script>/);
    expect([...labels].filter((character) => character === '"')).toHaveLength(2 * 4);
  });
});

describe("toDot", () => {
  it("nests groups and keeps the kinds of arrows apart", () => {
    const dot = toDot(DRAWING);
    expect(dot).toContain('  subgraph "cluster maybe" {\n    graph [label="if score');
    expect(dot).toContain('    subgraph "cluster map" {\n      graph [label="for each row × n" style="rounded"];');
    expect(dot).toContain('  "a" -> "b" [style=dashed label="score"];');
    expect(dot).toContain('  "d" -> "out" [style=dotted];');
    expect(dot).toContain('"d" [label="stack × 12" shape=box3d style=solid];');
  });

  it("escapes quotes and backslashes", () => {
    const dot = toDot({ ...hostile, title: 'a"b\\c' });
    expect(dot.startsWith('digraph "a\\"b\\\\c" {')).toBe(true);
    const unescaped = dot.replaceAll(/\\["\\]/g, "");
    for (const line of unescaped.split("\n")) expect([...line].filter((c) => c === '"').length % 2).toBe(0);
  });
});
