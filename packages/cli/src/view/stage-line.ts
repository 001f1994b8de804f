import type { Colours, Paint } from "../format/colour.ts";
import { formatCount } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { padEnd, padStart, textWidth, truncate } from "../format/text-width.ts";
import { progressBar } from "./progress-bar.ts";
import type { StageProgress } from "./stage-progress.ts";

export interface StageLayout {
  readonly columns: number;
  readonly nameWidth: number;
  readonly barWidth: number;
  readonly countWidth: number;
}

const MARK_WIDTH = 2;
const GAP = "  ";
/** Counts up to `999/999+` do not make the bars change their length. */
const STEADY_COUNT_WIDTH = 8;

/** How the lines of these stages share the columns, so that they stand aligned. */
export function stageLayout(stages: readonly StageProgress[], columns: number): StageLayout {
  const longest = Math.max(0, ...stages.map(({ name }) => textWidth(name)));
  const nameWidth = Math.min(longest, Math.max(8, Math.floor(columns * 0.3)));
  const countWidth = Math.max(0, ...stages.map((stage) => countText(stage).length));
  const rest = columns - MARK_WIDTH - nameWidth - Math.max(countWidth, STEADY_COUNT_WIDTH) - 2 * GAP.length;
  return { columns, nameWidth, countWidth, barWidth: rest < 20 ? 0 : Math.min(30, Math.floor(rest * 0.45)) };
}

/** One stage: mark, name, bar, ended of total, and what the counts are made of as far as there is room. */
export function stageLine(stage: StageProgress, layout: StageLayout, colours: Colours): string {
  const { sign, paint } = markOf(stage, colours);
  const name = padEnd(truncate(stage.name, layout.nameWidth), layout.nameWidth);
  const bar = layout.barWidth === 0 ? "" : progressBar(stage, layout.barWidth, colours) + GAP;
  const head = `${paint(sign)} ${name}${GAP}${bar}${padStart(countText(stage), layout.countWidth)}`;
  return head + detailText(stage, layout.columns - textWidth(head), colours);
}

function countText(stage: StageProgress): string {
  const total = stage.total === 0 && stage.isGrowing ? "?" : formatCount(stage.total);
  return `${formatCount(stage.ended)}/${total}${stage.isGrowing && stage.total > 0 ? "+" : ""}`;
}

function markOf(stage: StageProgress, colours: Colours): { sign: string; paint: Paint } {
  if (stage.ends.failed > 0) return { sign: "✗", paint: colours.red };
  if (stage.running > 0) return { sign: "▸", paint: colours.yellow };
  if (!stage.isComplete || stage.isGrowing) return { sign: " ", paint: colours.gray };
  return stage.notRun > 0 ? { sign: "–", paint: colours.gray } : { sign: "✓", paint: colours.green };
}

/** The most important first: what does not fit is left out at the end. */
function detailText(stage: StageProgress, room: number, colours: Colours): string {
  const details: { text: string; paint?: Paint }[] = [];
  const add = (count: number, word: string, paint?: Paint) => {
    if (count > 0) details.push({ text: `${formatCount(count)} ${word}`, ...(paint ? { paint } : {}) });
  };
  add(stage.ends.failed, "failed", colours.red);
  add(stage.running, "running", colours.yellow);
  add(stage.ends.cached, "cached", colours.cyan);
  add(stage.waiting, stage.isOver ? "not started" : "waiting");
  add(stage.notRun, "not run");
  add(stage.retries, stage.retries === 1 ? "retry" : "retries");
  if (stage.meanSeconds !== undefined) {
    details.push({
      text: `${formatDuration(stage.meanSeconds)}${stage.total > 1 ? " each" : ""}`,
      paint: colours.gray,
    });
  }
  let line = "";
  let used = 0;
  for (const { text, paint } of details) {
    const gap = line === "" ? GAP : ", ";
    if (used + gap.length + text.length > room) break;
    line += gap + (paint ? paint(text) : text);
    used += gap.length + text.length;
  }
  return line;
}
