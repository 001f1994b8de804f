/**
 * Draws what a terminal shows as an SVG: the pictures of runs under docs/images are made with it.
 *
 *   tmux capture-pane -e -p | node scripts/terminal-picture.mjs "./wf run FILE" > docs/images/run.svg
 */
import { readFileSync } from "node:fs";

const CELL = { width: 8.43, height: 19 };
const MARGIN = 18;
const BAR = 34;
const INK = "#d8dce6";
const COLOURS = {
  31: "#ff6b6b",
  32: "#5fd38d",
  33: "#f0b94d",
  34: "#6ea8fe",
  35: "#c792ea",
  36: "#56c8d8",
  90: "#7d8596",
};

const ESCAPE = "\x1b[";
const CODES = new RegExp(`(${ESCAPE.replace("[", "\\[")}[\\d;]*m)`, "g");

/** [{text, style}] of a line; the style goes on where the line before has ended. */
function spans(line, style) {
  const found = [];
  for (const part of line.split(CODES)) {
    if (!part.startsWith(ESCAPE)) {
      if (part !== "") found.push({ text: part, style: { ...style } });
      continue;
    }
    for (const code of part.slice(2, -1).split(";").map(Number)) {
      if (code === 0) Object.assign(style, { colour: INK, isBold: false, isDim: false });
      else if (code === 1) style.isBold = true;
      else if (code === 2) style.isDim = true;
      else if (code === 39) style.colour = INK;
      else if (code in COLOURS) style.colour = COLOURS[code];
    }
  }
  return found;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** Words are drawn at their own columns and widths, whatever the font makes of them and of the space between. */
function drawLine(line, row, style) {
  const y = BAR + MARGIN + row * CELL.height;
  let column = 0;
  const drawn = [];
  for (const { text, style: look } of spans(line, style)) {
    for (const words of text.matchAll(/\S+(?: \S+)*/g)) {
      const x = MARGIN + (column + [...text.slice(0, words.index)].length) * CELL.width;
      const place = `x="${x.toFixed(1)}" y="${y}" textLength="${([...words[0]].length * CELL.width).toFixed(1)}"`;
      const fill = look.isDim ? COLOURS[90] : look.colour;
      drawn.push(`<text ${place} fill="${fill}"${look.isBold ? ' font-weight="700"' : ""}>${escaped(words[0])}</text>`);
    }
    column += [...text].length;
  }
  return drawn.join("");
}

const title = process.argv[2] ?? "A terminal";
const lines = readFileSync(0, "utf8").trimEnd().split("\n");
const columns = Math.max(...lines.map((line) => [...line.replaceAll(CODES, "").trimEnd()].length));
const width = Math.ceil(2 * MARGIN + columns * CELL.width);
const height = BAR + MARGIN + lines.length * CELL.height;
const style = { colour: INK, isBold: false, isDim: false };
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="10" fill="#12151d"/>
<g fill="#3a4152"><circle cx="20" cy="18" r="6"/><circle cx="40" cy="18" r="6"/><circle cx="60" cy="18" r="6"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">
<text x="${width / 2}" y="23" text-anchor="middle" fill="#7d8596">${escaped(title)}</text>
${lines.map((line, row) => drawLine(line, row, style)).join("\n")}
</g>
</svg>
`);
