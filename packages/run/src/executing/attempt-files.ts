import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { type AttemptFolder, localRunFolder, shellLine, shellQuote } from "@wf/protocol";
import { readDocument } from "@wf/transport";
import { z } from "zod";
import { printedLine } from "../printed-line.ts";

const TAIL_BYTES = 64 * 1024;
const Place = z.object({
  /** For people: the machine. */
  host: z.string(),
  /** What follows `ssh`, to get there. */
  ssh: z.array(z.string()).optional(),
  folder: z.string(),
  hasSandbox: z.boolean(),
});

/**
 * What the launcher leaves of a failed attempt beside its sandbox, so that a person can repeat it. Values of secrets
 * are not in it, only their names.
 */
export const AttemptCommand = z.object({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  /** They stand unquoted in a line for a shell, and the task could have written this. */
  secrets: z.array(z.string().regex(/^[A-Za-z_]\w*$/)),
  /** Folders that come first on PATH. */
  path: z.array(z.string()).default([]),
});
export type AttemptCommand = z.input<typeof AttemptCommand>;

/** The folder of an attempt: its streams, and its sandbox if that was kept. */
export class AttemptFiles {
  readonly #folder: AttemptFolder;

  constructor(storage: string, run: string, attempt: string) {
    this.#folder = localRunFolder(storage, run).attempt(attempt);
  }

  get folder(): string {
    return this.#folder.root;
  }

  /** Of a distributed task, the first rank speaks for all; the others have streams of their own. */
  stream(name: "stdout" | "stderr", rank = 0): string {
    return this.#folder.stream(name, rank);
  }

  /** The folder of the pictures that it named. */
  get pictures(): string {
    return this.#folder.pictures;
  }

  /** Where the sandbox lies, with its machine if that is another one. Null if it was not kept. */
  get sandbox(): string | null {
    const { sandbox } = this.#folder;
    if (existsSync(sandbox)) return sandbox;
    const place = this.#place();
    return place?.hasSandbox === true ? `${place.host}:${place.folder}/sandbox` : null;
  }

  /** The last lines of a stream, as a terminal would show them. Empty where nothing was printed. */
  tail(name: "stdout" | "stderr", lines: number, rank = 0): string[] {
    const text = endOf(this.stream(name, rank));
    const all = text.replace(/\n+$/, "").split("\n").map(printedLine);
    return all.length === 1 && all[0] === "" ? [] : all.slice(-lines);
  }

  /** One line for a POSIX shell that repeats the attempt in its sandbox; null where it cannot be repeated. */
  get repeatCommand(): string | null {
    const command = this.sandbox === null ? undefined : readAs(AttemptCommand, this.#folder.command);
    if (command === undefined) return null;
    const place = this.#place();
    if (place === undefined) return repeatLine(this.#folder.sandbox, command);
    const words = place.ssh ?? [place.host];
    return `${shellLine(["ssh", "-t", ...words])} ${shellQuote(repeatLine(`${place.folder}/sandbox`, command))}`;
  }

  #place(): z.infer<typeof Place> | undefined {
    return readAs(Place, this.#folder.place);
  }
}

/** What is no such document is as if it were not there: it lies where the task could write, or came from there. */
function readAs<T>(schema: z.ZodType<T>, path: string): T | undefined {
  return schema.safeParse(readDocument(path)).data;
}

/** A secret is taken from the environment of whoever pastes the line; the shell says so where it is not set. */
export function repeatLine(sandbox: string, { argv, env, secrets, path = [] }: AttemptCommand): string {
  const variables = Object.entries(env).map(([name, value]) => shellQuote(`${name}=${value}`));
  const named = secrets.map((name) => `${name}="\${${name}:?}"`);
  const first = path.length === 0 ? [] : [`PATH=${shellQuote(path.join(":"))}:"$PATH"`];
  const words = [...variables, ...named, ...first];
  return `cd ${shellQuote(sandbox)} && ${words.length === 0 ? "" : `env ${words.join(" ")} `}${shellLine(argv)}`;
}

function endOf(path: string): string {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return "";
  const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const file = openSync(path, "r");
  try {
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(file);
  }
}
