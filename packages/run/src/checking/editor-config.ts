import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDocument } from "@wf/transport";
import { hostTypes } from "./host-types.ts";

/** What a project's own tsconfig.json extends. It names paths of this machine, so it lies where Git does not look. */
const EDITOR_CONFIG = "./.wf/tsconfig.json";

/** The options with which `wf check` and editors see a workflow. */
export function compilerOptions(): Record<string, unknown> {
  const { paths, typeRoot } = hostTypes();
  return {
    target: "ES2022",
    lib: ["ES2023"],
    module: "ESNext",
    moduleResolution: "Bundler",
    resolveJsonModule: true,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    verbatimModuleSyntax: true,
    types: ["node"],
    typeRoots: [typeRoot],
    paths,
  };
}

export function writeEditorConfig(projectRoot: string): void {
  const file = join(projectRoot, EDITOR_CONFIG);
  const text = `${JSON.stringify({ compilerOptions: compilerOptions() }, null, 2)}\n`;
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
  writeDocument(file, text);
}

/** A fresh clone lacks the file, and a moved wf makes it wrong. Projects that do not use it are left alone. */
export function refreshEditorConfig(projectRoot: string): void {
  const own = join(projectRoot, "tsconfig.json");
  if (existsSync(own) && readFileSync(own, "utf8").includes(EDITOR_CONFIG)) writeEditorConfig(projectRoot);
}
