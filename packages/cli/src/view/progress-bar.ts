import type { Colours } from "../format/colour.ts";
import type { StageProgress } from "./stage-progress.ts";

/**
 * How a stage stands, in `width` columns. What ended is a thick line, what was not run a thin
 * one, what runs a broken one, and the rest dots.
 */
export function progressBar(stage: StageProgress, width: number, colours: Colours): string {
  const parts = [
    { count: stage.ends.done, sign: "━", paint: colours.green },
    { count: stage.ends.cached, sign: "━", paint: colours.cyan },
    { count: stage.ends.failed, sign: "━", paint: colours.red },
    { count: stage.notRun, sign: "─", paint: colours.gray },
    { count: stage.running, sign: "╍", paint: colours.yellow },
    { count: Math.max(0, stage.total - stage.ended - stage.running), sign: "·", paint: colours.gray },
  ];
  const widths = shares(
    parts.map(({ count }) => count),
    width,
  );
  if (widths.every((share) => share === 0)) return colours.gray("·".repeat(width));
  return parts.map(({ sign, paint }, index) => paintIfAny(sign.repeat(widths[index] ?? 0), paint)).join("");
}

function paintIfAny(text: string, paint: (text: string) => string): string {
  return text === "" ? "" : paint(text);
}

/**
 * Divides `width` by the counts. Law: the shares add up to `width` (to 0 where there is nothing), and whatever
 * happened at all is seen as long as there are columns for it.
 */
export function shares(counts: readonly number[], width: number): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (count * width) / total);
  const widths = exact.map((share) => (share > 0 ? Math.max(1, Math.floor(share)) : 0));
  const indices = counts.flatMap((count, index) => (count > 0 ? [index] : []));
  const highest = (of: (index: number) => number) => indices.reduce((a, b) => (of(b) > of(a) ? b : a));
  for (let excess = width - widths.reduce((a, b) => a + b, 0); excess !== 0; excess -= Math.sign(excess)) {
    const widthOf = (index: number) => widths[index] ?? 0;
    const chosen = excess > 0 ? highest((index) => (exact[index] ?? 0) - widthOf(index)) : highest(widthOf);
    widths[chosen] = widthOf(chosen) + Math.sign(excess);
  }
  return widths;
}
