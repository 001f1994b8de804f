import { WfError } from "../errors/wf-error.ts";

const BYTE_UNITS: Readonly<Record<string, number>> = {
  "": 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};
const SECOND_UNITS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

function parse(text: string | number, units: Readonly<Record<string, number>>, what: string, example: string): number {
  if (typeof text === "number" && Number.isFinite(text) && text >= 0) return text;
  const match = /^\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*$/.exec(String(text));
  const name = match?.[2] ?? "";
  const unit = Object.hasOwn(units, name) ? units[name] : undefined;
  if (!match || unit === undefined) {
    throw new WfError("WF_DECLARATION", `${JSON.stringify(text)} is not ${what}`, { hint: `write it as ${example}` });
  }
  return Number(match[1]) * unit;
}

/** `"4GB"`, `"512MiB"` or a number of bytes. */
export function parseBytes(text: string | number): number {
  return Math.round(parse(text, BYTE_UNITS, "an amount of bytes", '"4GB", "512MiB" or a number of bytes'));
}

/** `"90s"`, `"30m"`, `"2h"`, `"1h30m"` or a number of seconds. */
export function parseSeconds(text: string | number): number {
  const parts = typeof text === "string" ? text.match(/\d+(?:\.\d+)?[a-z]+/g) : null;
  if (parts && parts.length > 1 && parts.join("") === text) {
    return parts.reduce((sum, part) => sum + parseSeconds(part), 0);
  }
  return parse(text, SECOND_UNITS, "a time", '"90s", "30m", "2h", "1h30m" or a number of seconds');
}
