import { shellQuote } from "@wf/protocol";
import type { Transport } from "./transport.ts";

/** What one of several questions led to. */
export interface Answer {
  readonly code: number;
  /** What it printed, on both of its outputs. */
  readonly text: string;
}

export type Answers<Name extends string> = Readonly<Record<Name, Answer>>;

const MARK = "\x1e";
const MOST_BYTES = 64 * 2 ** 20;

/**
 * Asks a place several things with one command, each a few lines of sh in a shell of its own with nothing to read.
 * `prologue`: lines that are run before all of them, in the shell that they come from.
 */
export async function askAtOnce<Name extends string>(
  transport: Transport,
  questions: Readonly<Record<Name, string>>,
  signal: AbortSignal,
  prologue = "",
): Promise<Answers<Name>> {
  const script = [
    prologue,
    ...Object.entries<string>(questions).map(
      ([name, lines]) =>
        `printf '\\036%s\\n' ${shellQuote(name)}\n(\n${lines}\n) </dev/null 2>&1\nprintf '\\036%s\\n' "$?"`,
    ),
  ].join("\n");
  const command = { argv: ["/bin/sh", "-c", script], isRepeatable: true, maxOutputBytes: MOST_BYTES } as const;
  const { stdout } = await transport.run(command, signal);
  const pieces = stdout.split(MARK).slice(1);
  const answers = new Map<string, Answer>();
  for (let i = 0; i + 1 < pieces.length; i += 2) {
    const [name = "", ...lines] = (pieces[i] as string).split("\n");
    answers.set(name, { code: Number.parseInt(pieces[i + 1] as string, 10), text: lines.join("\n") });
  }
  const unanswered: Answer = { code: -1, text: "" };
  return Object.fromEntries(
    Object.keys(questions).map((name) => [name, answers.get(name) ?? unanswered]),
  ) as Answers<Name>;
}
