/** Every package has a page that fits a screen, and what it shows of the package compiles. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PACKAGES = readdirSync(join(ROOT, "packages"));
const MOST_LINES = 60;
const CONTRACT = join(ROOT, "packages/backend/dist/contract/index.d.ts");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

/** The settings of the workspace, and the doors of its packages by their names. */
function configFor(files: readonly string[]): object {
  const door = (path: string) => [join(ROOT, path, "dist/index.d.ts")];
  return {
    extends: join(ROOT, "tsconfig.base.json"),
    compilerOptions: {
      composite: false,
      noEmit: true,
      typeRoots: [join(ROOT, "node_modules/@types")],
      paths: {
        wf: door("packages/wf"),
        "wf/run": [join(ROOT, "packages/wf/dist/run/index.d.ts")],
        "@wf/*": door("packages/*"),
        "@wf/backend/contract": [CONTRACT],
      },
    },
    files,
  };
}

function tsc(folder: string): { says: string; exit: number | null } {
  const { stdout, status } = spawnSync(process.execPath, [TSC, "-p", folder], { encoding: "utf8" });
  return { says: stdout, exit: status };
}

const readmeOf = (name: string) => readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");
const examplesOf = (name: string) =>
  [...readmeOf(name).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);

describe("the page of a package", () => {
  it.each(PACKAGES)("fits a screen, shows the door, and states laws: %s", (name) => {
    const text = readmeOf(name);
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(MOST_LINES);
    const { name: door } = JSON.parse(readFileSync(join(ROOT, "packages", name, "package.json"), "utf8"));
    expect(examplesOf(name).join("\n")).toContain(`from "${door}"`);
    expect(text).toMatch(/^## Laws$/m);
  });

  it.each(PACKAGES)("names files that are there: %s", (name) => {
    const folder = join(ROOT, "packages", name);
    const links = [...readmeOf(name).matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1] as string);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
    const table = readmeOf(name).match(/^\|.*\|$/gm) ?? [];
    const cells = table.map((row) => row.split("|").at(-2) ?? "");
    const files = cells.flatMap((cell) =>
      [...cell.matchAll(/`([\w./-]+(?:\.ts|\/))`/g)].map((match) => match[1] as string),
    );
    expect(files.filter((file) => !existsSync(join(folder, "src", file)))).toEqual([]);
  });

  it("shows examples that compile", () => {
    mkdirSync(join(ROOT, ".setup"), { recursive: true });
    const folder = mkdtempSync(join(ROOT, ".setup/readmes-"));
    try {
      const examples = PACKAGES.flatMap((name) =>
        examplesOf(name).map((text, n) => ({ file: `${name}-${n}.ts`, text })),
      );
      for (const { file, text } of examples) writeFileSync(join(folder, file), text);
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(configFor(examples.map(({ file }) => file))));
      expect(tsc(folder)).toEqual({ says: "", exit: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
