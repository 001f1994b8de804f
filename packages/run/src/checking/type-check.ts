import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { compilerOptions } from "./editor-config.ts";
import type { Finding } from "./finding.ts";

/**
 * Compiles a workflow without writing anything. Types of "wf", "zod" and Node come from this wf, so the project needs
 * no node_modules; its own tsconfig.json is heard, but strictness is not up for choice: the rules about splits and
 * inputs need it.
 */
export function typeCheck(file: string, projectRoot: string): Finding[] {
  const options = optionsFor(file, projectRoot);
  const host = ts.createCompilerHost(options);
  // Most of Node's types are comments.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const program = ts.createProgram({ rootNames: [file], options, host });
  return ts
    .getPreEmitDiagnostics(program)
    .filter((diagnostic) => diagnostic.category === ts.DiagnosticCategory.Error)
    .filter((diagnostic) => diagnostic.file === undefined || !program.isSourceFileFromExternalLibrary(diagnostic.file))
    .filter(isOwnMistake)
    .map((diagnostic) => toFinding(diagnostic, projectRoot));
}

const MODULE_NOT_FOUND = 2307;
const IMPLICIT_ANY: readonly number[] = [7006, 7031];

/** Where a module is missing, all that was to be had from it has no type, and would be told of line by line. */
function isOwnMistake(diagnostic: ts.Diagnostic, _: number, all: readonly ts.Diagnostic[]): boolean {
  return !IMPLICIT_ANY.includes(diagnostic.code) || all.every(({ code }) => code !== MODULE_NOT_FOUND);
}

function optionsFor(file: string, projectRoot: string): ts.CompilerOptions {
  const { options: ours } = ts.convertCompilerOptionsFromJson(compilerOptions(), projectRoot);
  const theirs = ownOptions(file, projectRoot);
  return {
    ...ours,
    ...theirs,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    paths: { ...theirs.paths, ...ours.paths },
    typeRoots: [...(theirs.typeRoots ?? [join(projectRoot, "node_modules/@types")]), ...(ours.typeRoots ?? [])],
  };
}

/** What only matters to a compiler that writes files, and is an error to one that does not. */
const FOR_WRITING = [
  "composite",
  "incremental",
  "declaration",
  "declarationMap",
  "emitDeclarationOnly",
  "rewriteRelativeImportExtensions",
  "tsBuildInfoFile",
  "rootDir",
  "outDir",
];

/** Of the nearest tsconfig.json, if the project has one. */
function ownOptions(file: string, projectRoot: string): ts.CompilerOptions {
  const config = ts.findConfigFile(dirname(file), ts.sys.fileExists);
  if (config === undefined || relative(projectRoot, config).startsWith("..")) return {};
  const host: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const options = ts.getParsedCommandLineOfConfigFile(config, undefined, host)?.options ?? {};
  return Object.fromEntries(Object.entries(options).filter(([name]) => !FOR_WRITING.includes(name)));
}

function toFinding(diagnostic: ts.Diagnostic, projectRoot: string): Finding {
  const message = withoutDefaults(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
  const base = { severity: "error", code: `TS${diagnostic.code}`, message } as const;
  if (!diagnostic.file) return base;
  const { line, character } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
  return {
    ...base,
    file: relative(projectRoot, diagnostic.file.fileName),
    line: line + 1,
    column: character + 1,
    excerpt: { lines: diagnostic.file.text.split(/\r?\n/), length: diagnostic.length ?? 1 },
  };
}

/** Any split is what a type stands for that names none, and what keeps extra names out is no part of a type to read. */
function withoutDefaults(message: string): string {
  return message
    .replaceAll(/(, |<)"unsplit" \| "train" \| "val" \| "test">/g, (_, before) => (before === "<" ? "" : ">"))
    .replaceAll(" & {} & NoExtra<...>", "");
}
