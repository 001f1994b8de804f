import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeFrame } from "./code-frame.ts";
import { refreshEditorConfig } from "./editor-config.ts";
import type { Finding } from "./finding.ts";
import { typeCheck } from "./type-check.ts";

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "wf-types-")));
});
afterEach(() => rmSync(root, { recursive: true }));

const FLOW = `import { readFileSync } from "node:fs";
import { dataset, file, nothing, optional, task, workflow, wrokflow } from "wf";
import { z } from "zod";
import { TITLE } from "#title";

const scans = dataset({ image: file("png"), mask: file("png") });
const split = task({
  name: "split",
  inputs: { all: scans },
  outputs: { train: scans.as("train"), test: scans.as("test") },
  command: () => ["split", TITLE.length, readFileSync.length],
});
const clean = task({ name: "clean", inputs: { chunk: scans }, outputs: { clean: scans }, command: () => ["clean"] });
const train = task({
  name: "train",
  inputs: { train: scans, start: optional(file("pt")) },
  outputs: { model: file("pt") },
  params: z.object({ lr: z.number() }),
  fits: true,
  command: () => ["train"],
});

export default workflow({
  name: "flow",
  inputs: { xrays: scans },
  build({ inputs }) {
    const { train: all, test } = split({ all: inputs.xrays });
    const ready = all.chunks({ size: 8 }).map((chunk) => clean({ chunk }).clean).merge();
    train({ train: ready }, { lr: 0.1 });
    train({ train: all, start: nothing(file("pt")) }, { lr: 0.1 });
    train({ train: test }, { lr: 0.1 });
    const { model } = train({ train: all }, { lr: "fast" });
    const loose = (anything) => anything;
    return { model, loose: loose(model) };
  },
});
`;

describe("typeCheck", () => {
  it("finds what must not compile, in a project without node_modules, and hears its tsconfig but for strictness", () => {
    writeFileSync(join(root, "flow.ts"), FLOW);
    mkdirSync(join(root, "words"));
    writeFileSync(join(root, "words/title.ts"), 'export const TITLE = "x";\n');
    const config = {
      compilerOptions: { strict: false, composite: true, outDir: "dist", paths: { "#*": ["./words/*.ts"] } },
    };
    writeFileSync(join(root, "tsconfig.json"), JSON.stringify(config));
    const findings = typeCheck(join(root, "flow.ts"), root);
    expect(findings.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
      "flow.ts:2 TS2724",
      "flow.ts:31 TS2322",
      "flow.ts:32 TS2322",
      "flow.ts:33 TS7006",
    ]);
    const { excerpt, line, column } = findings[2] as Required<Finding>;
    expect(
      codeFrame(excerpt?.lines ?? [], { line: line ?? 0, column: (column ?? 1) - 1, length: excerpt?.length ?? 0 }),
    ).toEqual([
      "31 |     train({ train: test }, { lr: 0.1 });",
      '32 |     const { model } = train({ train: all }, { lr: "fast" });',
      "   |                                               ^^",
    ]);
  });
});

const LOST = `import { file, json, task, workflow, z } from "wf";
import { walk } from "./nowhere.ts";

const count = task({ name: "count", inputs: { n: json(z.number()) }, command: () => ["count"] });
walk((step) => step);
export default workflow({
  name: "lost",
  inputs: { words: file("txt") },
  build({ inputs }) {
    count({ n: inputs.words });
    return {};
  },
});
`;

describe("what the compiler says", () => {
  it("is shortened by what every type has, and what follows from a missing module is left out", () => {
    writeFileSync(join(root, "lost.ts"), LOST);
    const findings = typeCheck(join(root, "lost.ts"), root);
    expect(findings.map(({ line, code, message }) => `${line} ${code} ${message.split("\n")[0]}`)).toEqual([
      "2 TS2307 Cannot find module './nowhere.ts' or its corresponding type declarations.",
      expect.stringMatching(/^10 TS\d+ Type 'FileHandle<"txt", "unsplit">' is .+ type 'JsonHandle<number>'/),
    ]);
  });
});

describe("refreshEditorConfig", () => {
  it("writes what the project's tsconfig.json extends, and nothing where it does not", () => {
    writeFileSync(join(root, "tsconfig.json"), "{}");
    refreshEditorConfig(root);
    expect(() => readFileSync(join(root, ".wf/tsconfig.json"))).toThrow("ENOENT");
    writeFileSync(join(root, "tsconfig.json"), '{ "extends": "./.wf/tsconfig.json" }');
    refreshEditorConfig(root);
    const { compilerOptions } = JSON.parse(readFileSync(join(root, ".wf/tsconfig.json"), "utf8"));
    for (const [path] of Object.values(compilerOptions.paths) as string[][]) {
      expect(readFileSync(path as string, "utf8")).toContain("export");
    }
  });
});
