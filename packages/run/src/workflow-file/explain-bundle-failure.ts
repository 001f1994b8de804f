import { builtinModules } from "node:module";
import { WfError } from "@wf/protocol";
import type { Message } from "esbuild";
import { codeFrame } from "../checking/code-frame.ts";

/** esbuild's words as an error that says what to do. `more` others were found. */
export function explainBundleFailure(failure: Message, more: number): WfError {
  const { location } = failure;
  const lines = [failure.text];
  if (location) {
    const source: string[] = [];
    source[location.line - 1] = location.lineText;
    lines.push(...codeFrame(source, location));
  }
  if (more > 0) lines.push(`and ${more} more like it`);
  const unresolved = /^Could not resolve "(.+)"/.exec(failure.text)?.[1];
  return new WfError("WF_WORKFLOW_LOAD", lines.join("\n"), {
    where: location ? `${location.file}:${location.line}:${location.column + 1}` : undefined,
    hint: unresolved === undefined ? "correct that line" : howToProvide(unresolved),
  });
}

function howToProvide(specifier: string): string {
  if (/^[./]/.test(specifier)) return "correct the path: it is relative to the importing file, with its .ts";
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  if (name.startsWith("@wf/")) return 'import it from "wf", which has every public name';
  if (builtinModules.includes(name)) return `write "node:${specifier}"`;
  return `install it in the project: npm install ${name}`;
}
