/** The documentation is code too: its examples run, what it shows of them is what they hold, and its links lead somewhere. */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseSites } from "@wf/site";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { WF_MAIN } from "./wf-program.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const EXAMPLES = readdirSync(join(ROOT, "docs/examples")).filter((name) => name.endsWith(".ts"));
const PAGES = [
  "README.md",
  "SECURITY.md",
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

interface Shown {
  readonly page: string;
  readonly line: number;
  /** The file that the comment before the block names, if there is one. */
  readonly from: string | undefined;
  readonly isWhole: boolean;
  readonly text: string;
}

const BLOCK = /(?:<!-- (whole|from) (\S+) -->\n)?^```ts\n([\s\S]*?)^```$/gm;

function blocksOf(page: string): Shown[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(BLOCK)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length,
    from: match[2],
    isWhole: match[1] === "whole",
    text: match[3] as string,
  }));
}

/** How far a text is indented does not matter, only what it says. */
function flush(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n");
}

const folder = mkdtempSync(join(tmpdir(), "wf-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function wf(...args: string[]): Promise<string> {
  const env = { ...process.env, WF_STORE: join(folder, "store"), EXAMPLE_TOKEN: "secret" };
  return (await promisify(execFile)(process.execPath, [WF_MAIN, ...args], { env, cwd: ROOT })).stdout;
}

describe("the pages", () => {
  it.each(PAGES.flatMap(blocksOf))("show a file as it is: $page:$line", ({ from, isWhole, text }) => {
    expect(from, "put <!-- from FILE --> or <!-- whole FILE --> before the block").toBeDefined();
    const file = readFileSync(join(ROOT, from as string), "utf8");
    if (isWhole) expect(text).toBe(file);
    else expect(flush(file)).toContain(flush(text));
  });

  it.each(PAGES)("have links that lead somewhere: %s", (page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/```[\s\S]*?```/g, "");
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)|<img[^>]* src="([^"]+)"/g)].map(
      (match) => (match[1] ?? match[2]) as string,
    );
    const broken = links.filter(
      (link) => !/^[a-z]+:/.test(link) && !existsSync(join(ROOT, dirname(page), decodeURI(link))),
    );
    expect(broken).toEqual([]);
  });

  it("show every example", () => {
    const shown = new Set(PAGES.flatMap(blocksOf).map((block) => block.from));
    expect(EXAMPLES.filter((name) => !shown.has(`docs/examples/${name}`))).toEqual([]);
  });
});

describe("the sites that are shown", () => {
  const page = readFileSync(join(ROOT, "docs/sites.md"), "utf8");
  const shown = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);
  const lab = readFileSync(join(ROOT, "docs/examples/sites-of-a-lab.yaml"), "utf8");

  it.each([...shown, lab])("can be read: %#", (text) => {
    const sites = parseSites(text, "docs/sites.md", { env: {}, readFile: () => "sites: { shared: {} }" });
    expect(sites.size).toBeGreaterThan(1);
  });
});

describe("a program that runs workflows", () => {
  it("prints what the page says, and nothing else", async () => {
    const program = readFileSync(join(ROOT, "docs/examples/library/players.ts"), "utf8");
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(ROOT, "packages/wf"), join(folder, "node_modules/wf"));
    const file = join(folder, "players.mjs");
    const { ModuleKind, ScriptTarget } = ts;
    const compilerOptions = { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 };
    writeFileSync(file, ts.transpileModule(program, { compilerOptions }).outputText);
    const env = { ...process.env, WF_STORE: join(folder, "store of a program"), NO_COLOR: "1" };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { env, cwd: ROOT });
    expect(stderr).toBe("");
    const page = readFileSync(join(ROOT, "docs/library.md"), "utf8");
    expect(stdout).toBe(/^It prints:\n\n```\n([\s\S]*?)^```$/m.exec(page)?.[1]);
  });
});

describe("the examples", () => {
  it.each(EXAMPLES)("run: %s", async (name) => {
    const lines = (await wf("run", "--json", relative(ROOT, join(ROOT, "docs/examples", name)))).trim().split("\n");
    expect(JSON.parse(lines.at(-1) as string)).toMatchObject({ type: "run.finished", status: "succeeded" });
  });

  it("make more darts only where there are more players", async () => {
    const ran = async (...options: string[]) =>
      (await wf("run", "--json", "docs/examples/first.ts", ...options))
        .split("\n")
        .filter((line) => line.includes('"type":"task.ended"') && line.includes('"state":"done"')).length;
    await ran("-p", "darts=1000", "-p", "players=3");
    expect(await ran("-p", "darts=1000", "-p", "players=5")).toBe(2 + 1);
    const thrown = await wf("query", "SELECT count(DISTINCT hash) AS n FROM output WHERE stage = 'throw'", "--json");
    expect(JSON.parse(thrown).n, "players who throw alike estimate nothing").toBeGreaterThan(3);
  });
});
