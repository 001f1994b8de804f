/** A place in the user's own file, for errors that point at it. */
export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

export interface StackFrame {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/** Turns a frame of running code into a line of the file that the user wrote; undefined if it is not theirs. */
export type Locator = (frame: StackFrame) => SourceLine | undefined;

let locate: Locator | undefined;

/** The loader of workflow files knows their source maps; it says so here before it runs one. */
export function setLocator(locator: Locator): void {
  locate = locator;
}

/** Paths may hold spaces and brackets, so a frame ends at its last two numbers. */
const FRAME = /(?:\(|at )(?:async )?((?:file:|\/).*):(\d+):(\d+)\)?$/;

function linesOfStack(stack: string): SourceLine[] {
  const found: SourceLine[] = [];
  if (!locate) return found;
  for (const text of stack.split("\n")) {
    const match = FRAME.exec(text.trim());
    if (!match?.[1]) continue;
    const place = locate({ url: match[1], line: Number(match[2]), column: Number(match[3]) });
    if (place) found.push(place);
  }
  return found;
}

/** The user's line that is being executed now. */
export function currentLine(): SourceLine | undefined {
  if (!locate) return undefined;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const stack = new Error().stack ?? "";
  Error.stackTraceLimit = limit;
  return linesOfStack(stack)[0];
}

/** The user's line that an error was thrown from. */
export function lineOfError(error: unknown): SourceLine | undefined {
  return error instanceof Error && error.stack ? linesOfStack(error.stack)[0] : undefined;
}

export function showLine(at: SourceLine | undefined): string | undefined {
  return at && `${at.file}:${at.line}`;
}
