import { WfError } from "@wf/protocol";

/**
 * A command is an argument vector, never a shell line. Its author writes it with names (`inputs.image`), which
 * stand in the strings between NUL bytes, since no argument can hold one; here they become parts.
 */
export type CommandPart = string | { readonly from: CommandSource; readonly name: string };
export type CommandSource = "inputs" | "outputs" | "params" | "code";
export type CommandTemplate = readonly (readonly CommandPart[])[];

const SOURCES: readonly string[] = ["inputs", "outputs", "params", "code"];

/** What stands for a name in an argument until it is known. */
export function placeholder(from: CommandSource, name: string): string {
  return `\0${from}\0${name}\0`;
}

/** One object a source whose properties are placeholders; an unknown name is an error that lists the known ones. */
export function placeholders(from: CommandSource, names: readonly string[], where: string): Record<string, string> {
  const target = Object.fromEntries(names.map((name) => [name, placeholder(from, name)]));
  return new Proxy(target, {
    get(known, name) {
      if (typeof name === "symbol" || name in known) return known[name as string];
      throw new WfError("WF_DECLARATION", `the command uses ${from}.${name}, which is not declared`, {
        where,
        hint: names.length > 0 ? `${from} has: ${names.join(", ")}` : `the task declares no ${from}`,
      });
    },
  });
}

export function parseCommand(argv: readonly (string | number)[], where: string): CommandTemplate {
  const wrong = (message: string): never => {
    throw new WfError("WF_DECLARATION", message, { where, hint: 'a command is a list: ["sort", inputs.text]' });
  };
  if (!Array.isArray(argv)) wrong("the command is no list of arguments, and there is no shell that would cut it up");
  if (argv.length === 0) wrong("the command is empty");
  return argv.map((argument, index) => {
    if (typeof argument !== "string" && typeof argument !== "number") {
      wrong(`argument ${index} of the command is neither a text nor a number`);
    }
    return parseArgument(String(argument)) ?? wrong(`argument ${index} of the command holds a NUL character`);
  });
}

/** Undefined when a NUL stands in it that no placeholder brought. */
function parseArgument(text: string): CommandPart[] | undefined {
  const pieces = text.split("\0");
  const parts: CommandPart[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i] as string;
    if (i % 3 === 0) {
      if (piece !== "") parts.push(piece);
    } else if (SOURCES.includes(piece) && i + 2 < pieces.length) {
      parts.push({ from: piece as CommandSource, name: pieces[++i] as string });
    } else return undefined;
  }
  return parts.length === 0 ? [""] : parts;
}
