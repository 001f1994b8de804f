import type { Readable } from "node:stream";
import { shellLine, WfError } from "@wf/protocol";
import type { Command, Process, RunCommand, RunResult } from "./command.ts";
import { FollowingAbort, unlessAborted } from "./on-abort.ts";

const USUAL_TIMEOUT_MS = 120_000;
const USUAL_OUTPUT_BYTES = 16 * 1024 * 1024;
const SHOWN_CHARACTERS = 200;

type Start = (command: Command, signal: AbortSignal) => Promise<Process>;

/** Starts a command, feeds it, and collects what it prints until it ends or has to be ended. */
export async function runToEnd(
  start: Start,
  command: RunCommand,
  place: string,
  signal: AbortSignal,
): Promise<RunResult> {
  const { stdin = "", timeoutMs = USUAL_TIMEOUT_MS, maxOutputBytes = USUAL_OUTPUT_BYTES } = command;
  const life = new FollowingAbort(signal);
  const process = await start(command, life.signal);

  const failure = (what: string) =>
    new WfError("WF_SITE_COMMAND", `A command ${what}: ${showCommand(command)}`, { where: place });
  const timer = setTimeout(() => life.abort(failure(`did not end within ${timeoutMs / 1000} s`)), timeoutMs);
  const collect = async (stream: Readable): Promise<string> => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).byteLength;
      if (bytes > maxOutputBytes) life.abort(failure(`printed more than ${maxOutputBytes} bytes`));
      else chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks).toString("utf8");
  };
  // A command that ends without reading its input is not at fault.
  process.stdin.on("error", () => undefined);
  process.stdin.end(stdin);
  const ended = Promise.all([process.exit, collect(process.stdout), collect(process.stderr)]);
  try {
    const [exit, stdout, stderr] = await unlessAborted(ended, life.signal);
    return { ...exit, stdout, stderr };
  } finally {
    clearTimeout(timer);
    life.letGo();
  }
}

export function showCommand({ argv }: Command): string {
  const line = shellLine(argv);
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
