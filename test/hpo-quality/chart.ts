import type { Spread } from "./curve.ts";

/** One line with the band around it, over trials 1 to n. */
export interface Line {
  readonly name: string;
  readonly spreads: readonly Spread[];
}

export interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly isLog: boolean;
}

const COLUMNS = 3;
const PANEL = { width: 300, height: 210, left: 46, right: 12, top: 34, bottom: 30 };
const LEGEND_HEIGHT = 30;
const TICKS = 4;

/** Lines can be told apart on white, on black and by their dashes alone. Only the first two have a band: four hide all. */
const STYLE = `
  text { font: 11px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; font-size: 13px; fill: #24292f }
  .grid { stroke: #8c959f; stroke-opacity: .25 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  .band { opacity: .14 }
  .s0 { stroke: #0969da } .f0 { fill: #0969da }
  .s1 { stroke: #bc4c00; stroke-dasharray: 7 3 } .f1 { fill: #bc4c00 }
  .s2 { stroke: #6e7781; stroke-dasharray: 2 3 } .f2 { fill: none }
  .s3 { stroke: #8250df; stroke-dasharray: 9 3 2 3 } .f3 { fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 } .title { fill: #e6edf3 } .band { opacity: .2 }
    .s0 { stroke: #4493f8 } .f0 { fill: #4493f8 }
    .s1 { stroke: #f0883e } .f1 { fill: #f0883e }
    .s2 { stroke: #9198a1 } .s3 { stroke: #ab7df8 }
  }`;

/**
 * Small charts side by side under one legend; every line is drawn through the medians. `names` gives everybody a style,
 * so that it is the same in every chart.
 */
export function chartOf(panels: readonly Panel[], label: string, names: readonly string[]): string {
  const columns = Math.min(COLUMNS, panels.length);
  const width = columns * PANEL.width;
  const height = LEGEND_HEIGHT + Math.ceil(panels.length / columns) * PANEL.height;
  const shown = panels[0]?.lines.map(({ name }) => name) ?? [];
  const drawn = panels.map((panel, index) => {
    const x = (index % columns) * PANEL.width;
    const y = LEGEND_HEIGHT + Math.floor(index / columns) * PANEL.height;
    return `<g transform="translate(${x} ${y})">\n${panelOf(panel, names)}\n</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">`,
    `<style>${STYLE}\n</style>`,
    ...shown.map((name, place) => legendEntry(name, place, names.indexOf(name))),
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

function legendEntry(name: string, place: number, style: number): string {
  const x = PANEL.left + place * 190;
  return `<path class="line s${style}" d="M${x} 16h28"/><text x="${x + 36}" y="20">${name}</text>`;
}

function panelOf({ title, lines, isLog }: Panel, names: readonly string[]): string {
  const trials = lines[0]?.spreads.length ?? 0;
  const scale = verticalScale(lines, isLog);
  const bottom = PANEL.height - PANEL.bottom;
  const right = PANEL.width - PANEL.right;
  const x = (trial: number) => round(PANEL.left + ((right - PANEL.left) * trial) / (trials - 1));
  const y = (value: number) => round(bottom - (bottom - PANEL.top) * scale.place(value));
  const rows = scale.ticks.map(
    (tick) =>
      `<path class="grid" d="M${PANEL.left} ${y(tick)}H${right}"/>` +
      `<text x="${PANEL.left - 6}" y="${y(tick) + 4}" text-anchor="end">${Number(tick.toPrecision(3))}</text>`,
  );
  const columns = [0, 0.5, 1].map((part) => {
    const trial = Math.max(1, Math.round(trials * part));
    const isLast = part === 1;
    const text = isLast ? `${trial} trials` : trial;
    return `<text x="${x(trial - 1)}" y="${bottom + 16}" text-anchor="${isLast ? "end" : "middle"}">${text}</text>`;
  });
  const points = (values: readonly number[]) => values.map((value, trial) => `${x(trial)} ${y(value)}`);
  const curves = lines.map(({ name, spreads }) => {
    const style = names.indexOf(name);
    const upper = points(spreads.map(({ high }) => high));
    const lower = points(spreads.map(({ low }) => low));
    const middle = points(spreads.map(({ median }) => median));
    return (
      `<path class="band f${style}" d="M${[...upper, ...lower.reverse()].join("L")}Z"/>` +
      `<path class="line s${style}" d="M${middle.join("L")}"/>`
    );
  });
  const heading = `<text class="title" x="${PANEL.left}" y="20">${title}</text>`;
  return [heading, ...rows, ...columns, ...curves].join("\n");
}

interface VerticalScale {
  readonly ticks: readonly number[];
  /** From 0 at the bottom to 1 at the top; what lies outside is put on the edge. */
  place(value: number): number;
}

function verticalScale(lines: readonly Line[], isLog: boolean): VerticalScale {
  const medians = lines.flatMap(({ spreads }) => spreads.map(({ median }) => median));
  const bands = lines.flatMap(({ spreads }) => spreads.slice(-1).flatMap(({ low, high }) => [low, high]));
  const shown = [...medians, ...bands].filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  const on = (value: number) => (isLog ? Math.log10(value) : value);
  const clamp = (part: number) => Math.min(1, Math.max(0, part));
  return {
    ticks: isLog ? logTicks(least, most) : evenTicks(least, most),
    place: (value) => (value <= 0 && isLog ? 0 : clamp((on(value) - on(least)) / (on(most) - on(least)))),
  };
}

/** Powers of ten, or 1, 2 and 5 times them where there are few. */
function logTicks(least: number, most: number): readonly number[] {
  const powers = Array.from({ length: 40 }, (_, power) => 10 ** (power - 20));
  const inside = (ticks: readonly number[]) => ticks.filter((tick) => tick >= least && tick <= most);
  const tens = inside(powers);
  return tens.length >= 3 ? tens : inside(powers.flatMap((power) => [power, 2 * power, 5 * power]));
}

function evenTicks(least: number, most: number): readonly number[] {
  const rough = (most - least) / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, index) => (first + index) * step);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
