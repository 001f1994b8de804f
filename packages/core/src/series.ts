import { WfError } from "@wf/protocol";
import type { Slot } from "./artifact-type.ts";
import { currentBuilder } from "./graph-builder.ts";
import { type Collected, type Collection, handleOf, type JsonHandle, Maybe } from "./handle.ts";
import { currentLine, showLine } from "./source-line.ts";
import type { Split } from "./split.ts";
import type { HandleFor } from "./task.ts";

// biome-ignore lint/suspicious/noExplicitAny: a slot of any type; the phantom label is not comparable
type Remembered = { readonly [name: string]: Slot<any, any, "one" | "optional"> };

type Returned<S> =
  S extends Slot<infer T, Split | "inherit", infer Mod>
    ? Mod extends "optional"
      ? HandleFor<T, Split> | Maybe<HandleFor<T, Split>>
      : HandleFor<T, Split>
    : never;
type Element<S> =
  S extends Slot<infer T, Split | "inherit", infer Mod>
    ? Mod extends "optional"
      ? Maybe<HandleFor<T, Split>>
      : HandleFor<T, Split>
    : never;
type Earlier<G extends Remembered> = { readonly [K in keyof G]: Collection<Element<G[K]>> };

export interface SeriesOptions<G extends Remembered> {
  /** How many rounds there are. */
  readonly count: number;
  /** How many rounds may be under way at once. A round is given the results of all but the last `window - 1` before it. */
  readonly window: number;
  /** What later rounds are given of the results of earlier ones: `{ score: json(z.number()) }`. */
  readonly gives: G;
}

/**
 * Rounds that learn from earlier ones and yet overlap. Law: round i is given exactly what rounds 0 to i - window
 * returned, in that order, whatever ended when; so the same series gives the same results on any number of machines.
 *
 * ```ts
 * series({ count: 20, window: 4, gives: { score: json(z.number()) } }, (earlier, number) => {
 *   const { point } = choose({ scores: earlier.score }, { number });
 *   return { score: measure({}, { point }).score };
 * });
 * ```
 */
export function series<const G extends Remembered, R extends { readonly [K in keyof G]: Returned<G[K]> }>(
  { count, window, gives }: SeriesOptions<G>,
  round: (earlier: Earlier<G>, number: JsonHandle<number, never>) => R,
): Collected<R> {
  for (const [name, value] of Object.entries({ count, window })) {
    if (Number.isInteger(value) && value >= 1) continue;
    throw new WfError("WF_DECLARATION", `series() with ${name} ${value}: a whole number above 0 is wanted`, {
      where: showLine(currentLine()),
      hint: "series({ count: 20, window: 4, gives: { … } }, …)",
    });
  }
  const templates = Object.fromEntries(
    Object.entries(gives).map(([name, { type, mod }]) => {
      const handle = handleOf({ ref: "absent" }, type, []);
      return [name, mod === "optional" ? new Maybe(handle) : handle];
    }),
  );
  return currentBuilder("series()").addSeries(count, window, templates, round as never) as Collected<R>;
}
