import { printableJson, printableText, type WfError } from "@wf/protocol";
import picocolors from "picocolors";

/**
 * An error as a person reads it: what, where, what to type next. Anything but a WfError is a bug in wf and comes with
 * its stack. It may hold what a task or a machine said, so nothing of it can steer the terminal.
 */
export function renderError(error: unknown, isColoured: boolean): string {
  const { bold, dim, red } = picocolors.createColors(isColoured);
  const { code, message, where, hint } = describeError(error);
  const [first, ...rest] = printableText(message).split("\n");
  const lines = [`${bold(red(`error[${code}]`))}${bold(`: ${first}`)}`, ...rest.map((line) => `  ${line}`)];
  if (where !== undefined) lines.push(`  ${dim("at:")} ${printableText(where)}`);
  if (hint !== undefined) lines.push(`  ${dim("next:")} ${printableText(hint)}`);
  return `${lines.join("\n")}\n`;
}

/** The one line that `--json` promises. */
export function errorLine(error: unknown): string {
  return `${printableJson(JSON.stringify({ type: "error", ...describeError(error) }))}\n`;
}

export function exitCodeOf(error: unknown): number {
  if (isWfError(error)) return error.exitCode;
  return isDiskFull(error) ? 4 : 70;
}

interface Description {
  readonly code: string;
  readonly message: string;
  readonly where?: string;
  readonly hint?: string;
}

function describeError(error: unknown): Description {
  if (isWfError(error)) return error.toJSON();
  if (isDiskFull(error)) {
    return {
      code: "WF_DISK_FULL",
      message: `the disk, or your quota on it, is full: ${error.message}`,
      ...(error.path === undefined ? {} : { where: error.path }),
      hint: "make room there, then type the same again; a run that had begun goes on with: wf resume last",
    };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: "WF_INTERNAL",
    message: stack,
    hint: "this is a bug in wf: please report it, with the lines above and what you typed",
  };
}

function isWfError(error: unknown): error is WfError {
  return error instanceof Error && error.name === "WfError";
}

/** A full disk may strike wherever something is written, also where nobody thought of it. */
function isDiskFull(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
