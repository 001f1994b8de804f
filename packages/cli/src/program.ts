import { Argument, Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import type { CommandSpec, OptionSpec } from "./command-spec.ts";
import { COMMANDS, GLOBAL_OPTIONS } from "./command-tree.ts";
import { VERSION } from "./version.ts";

/** Said again here because `--help` must not load core, where they are decided; a test compares the two. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "everything went well"],
  [1, "the run failed"],
  [2, "the command line is wrong"],
  [3, "the workflow is wrong"],
  [4, "something around wf is missing or broken: a site, a disk, python; see wf doctor"],
  [5, "another process owns the run"],
  [70, "a bug in wf"],
  [130, "the run was cancelled"],
];

/** Reads the command line, runs its command, and gives the exit code. A wrong command line is a WfError. */
export async function runProgram(words: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram((code) => {
    exitCode = code;
  });
  if (words.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!isCommanderError(error)) throw error;
    if (error.exitCode !== 0) throw await usageError(error, words);
  }
  return exitCode;
}

function createProgram(onExit: (code: number) => void): Command {
  const program = new Command("wf")
    .description("Typed scientific workflows: a TypeScript file becomes a graph of tasks, and wf runs it.")
    .version(VERSION, "-V, --version", "print the version")
    .usage("COMMAND [options]")
    .helpOption("-h, --help", "print help")
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ showGlobalOptions: true, subcommandTerm: usageOf })
    .addHelpCommand(
      new Command("help").argument("[COMMAND]").description("print help for a command").helpGroup("House-keeping:"),
    )
    .addHelpText("after", helpTail());
  for (const option of GLOBAL_OPTIONS) program.addOption(toOption(option));
  for (const spec of COMMANDS) program.addCommand(toCommand(spec, onExit), { hidden: spec.isHidden === true });
  for (const command of program.commands) command.copyInheritedSettings(program);
  return program;
}

function toCommand(spec: CommandSpec, onExit: (code: number) => void): Command {
  const command = new Command(spec.name)
    .summary(spec.summary)
    .description(sentence(spec.summary) + (spec.details === undefined ? "" : `\n${spec.details}`))
    .usage(["[options]", ...spec.args.map(showArgument)].join(" "))
    .helpOption("-h, --help", "print help")
    .helpGroup(`${spec.group}:`)
    .addHelpText("after", `\nExample:\n  ${spec.example}`);
  for (const arg of spec.args) {
    const argument = new Argument(`[${arg.name}]`, arg.summary);
    command.addArgument(Array.isArray(arg.completes) ? argument.choices(arg.completes) : argument);
  }
  for (const option of spec.options) command.addOption(toOption(option));
  return command.action(async (...given: unknown[]) => {
    const args = align(spec, given.slice(0, spec.args.length), command);
    const action = await spec.load();
    onExit(await action(...(args as never[]), optionsOf(command) as never));
  });
}

/**
 * The commander wants optional arguments last; here `logs [RUN] TASK` is possible. Words go to what is required
 * first, and what is left over to the optional arguments, from left to right.
 */
function align(spec: CommandSpec, given: readonly unknown[], command: Command): unknown[] {
  const words = given.filter((word) => word !== undefined);
  const missing = spec.args.filter((arg) => arg.isOptional !== true)[words.length];
  if (missing) command.error(`error: missing argument ${missing.name}: ${missing.summary}`);
  let spare = words.length - spec.args.filter((arg) => arg.isOptional !== true).length;
  return spec.args.map((arg) => (arg.isOptional !== true || spare-- > 0 ? words.shift() : undefined));
}

function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.summary);
  if (spec.choices) option.choices(spec.choices);
  if (spec.conflictsWith !== undefined) option.conflicts(spec.conflictsWith);
  if (spec.kind === "words") option.argParser((word, before: string[] = []) => [...before, word]);
  if (spec.kind === "count") option.argParser((word) => wholeNumber(word, 0));
  if (spec.kind === "number") option.argParser((word) => wholeNumber(word, 1));
  return option;
}

/** What may be repeated and was not given is an empty list, so that commands need not ask. */
function optionsOf(command: Command): Record<string, unknown> {
  const lists = command.options.filter((option) => REPEATED.has(option.flags));
  return { ...Object.fromEntries(lists.map((option) => [option.attributeName(), []])), ...command.optsWithGlobals() };
}

const REPEATED: ReadonlySet<string> = new Set(
  COMMANDS.flatMap((spec) => spec.options.flatMap(({ kind, flags }) => (kind === "words" ? [flags] : []))),
);

function wholeNumber(word: string, least: number): number {
  const number = Number(word);
  if (/^\d+$/.test(word) && Number.isSafeInteger(number) && number >= least) return number;
  throw new InvalidArgumentError(`A whole number from ${least} is wanted.`);
}

export function showArgument(arg: { readonly name: string; readonly isOptional?: boolean }): string {
  return arg.isOptional === true ? `[${arg.name}]` : arg.name;
}

function usageOf(command: Command): string {
  return [command.name(), command.usage().replace("[options]", "").trim()].filter((word) => word !== "").join(" ");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function helpTail(): string {
  const codes = EXIT_CODES.map(([code, meaning]) => `  ${String(code).padEnd(4)}${meaning}`);
  return [
    "",
    "Examples:",
    "  wf init my-project && cd my-project",
    "  wf run workflow.ts",
    "  wf trace last",
    "",
    "Exit codes:",
    ...codes,
  ].join("\n");
}

function isCommanderError(error: unknown): error is CommanderError {
  return error instanceof Error && "code" in error && String(error.code).startsWith("commander.");
}

/** Says it as every other error is said: what, and what to type next. */
async function usageError(error: CommanderError, words: readonly string[]): Promise<Error> {
  const { WfError } = await import("@wf/protocol");
  const [first = "", ...rest] = error.message.replace(/^error: /, "").split("\n");
  const suggestion = /^\(Did you mean (.+)\?\)$/.exec(rest.join(" "))?.[1];
  const command = words.find((word) => COMMANDS.some(({ name }) => name === word));
  const help = command === undefined ? "wf --help" : `wf ${command} --help`;
  return new WfError("WF_USAGE", first, {
    hint: suggestion === undefined ? help : `did you mean ${suggestion}? All of it: ${help}`,
  });
}
