import { screenOf } from "../screen.ts";
import { JsonLines } from "../view/json-lines.ts";
import { LiveView } from "../view/live-view.ts";
import { PlainLines } from "../view/plain-lines.ts";
import type { RunView } from "../view/run-view.ts";

export interface ViewOptions {
  readonly json?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** A terminal gets the live view, everything else lines. */
export function chooseView({ json, plain, quiet, color }: ViewOptions): RunView {
  const screen = screenOf(process.stdout, { color });
  if (json) return new JsonLines(screen);
  if (quiet) return new PlainLines(screen, { isQuiet: true });
  const isDumb = process.env.TERM === "dumb";
  return plain || isDumb || !screen.isTerminal ? new PlainLines(screen) : new LiveView(screen);
}
