import { WfError } from "./wf-error.ts";

/**
 * A command is an argument vector, never a shell line. Its author writes it with names (`inputs.image`), which
 * stand in the strings between NUL bytes, since no argument can hold one; here they become parts.
 */
export type CommandPart = string | { readonly from: CommandSource; readonly name: string };
export type CommandSource = "inputs" | "outputs" | "params" | "code";
export type CommandTemplate = readonly (readonly CommandPart[])[];

const SOURCES: readonly string[] = ["inputs", "outputs", "params", "code"];

export function placeholder(from: CommandSource, name: string): string {
  return `\0${from}\0${name}\0`;
}

/** One object a source whose properties are placeholders; an unknown name is an error that lists the known ones. */
export function placeholders(from: CommandSource, names: readonly string[], where: string): Record<string, string> {
  const target = Object.fromEntries(names.map((name) => [name, placeholder(from, name)]));
  return new Proxy(target, {
    get(known, name) {
      if (typeof name === "symbol" || name in known) return known[name as string];
      throw new WfError("WF_DECLARATION", `the command of ${where} uses ${from}.${name}, which is not declared`, {
        hint: names.length > 0 ? `${from} has: ${names.join(", ")}` : `the task declares no ${from}`,
      });
    },
  });
}

export function parseCommand(argv: readonly (string | number)[], where: string): CommandTemplate {
  if (argv.length === 0) {
    throw new WfError("WF_DECLARATION", "the command is empty", {
      where,
      hint: 'a command is a list: ["sort", inputs.text]',
    });
  }
  return argv.map((argument) => parseArgument(String(argument)));
}

function parseArgument(text: string): CommandPart[] {
  const pieces = text.split("\0");
  const parts: CommandPart[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as string;
    if (i % 3 === 0) {
      if (piece !== "") parts.push(piece);
    } else if (SOURCES.includes(piece)) {
      parts.push({ from: piece as CommandSource, name: pieces[++i] as string });
    }
  }
  return parts.length === 0 ? [""] : parts;
}
