#!/usr/bin/env node
import { runProgram } from "./program.ts";

let isRead = true;

/**
 * A reader that has seen enough (`wf runs | head -1`) is no error. A run without one stops as it does when its
 * terminal is closed: what runs finishes, and `wf resume` goes on.
 */
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error;
  if (!isRead) return;
  isRead = false;
  if (!process.emit("SIGHUP", "SIGHUP")) process.exit(0);
  process.stderr.write("wf: nobody reads what is printed, so the run stops; wf resume goes on\n");
});

const words = process.argv.slice(2);

try {
  leave(await runProgram(words));
} catch (error) {
  const { errorLine, exitCodeOf, renderError } = await import("./print-error.ts");
  const { wantsColour } = await import("./format/colour.ts");
  const isColoured = wantsColour({
    flag: !words.includes("--no-color"),
    isTerminal: process.stderr.isTTY === true,
    env: process.env,
  });
  if (words.includes("--json")) process.stdout.write(errorLine(error));
  process.stderr.write(renderError(error, isColoured));
  leave(exitCodeOf(error));
}

/** Ends for good, whatever is still open, once all is written. */
function leave(exitCode: number): void {
  process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode)));
}
