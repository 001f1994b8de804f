import type { Resolved } from "./resolved.ts";

/** Where an input lies in the sandbox. A file keeps its own name, since programs look at endings. */
export function inputPath(name: string, value: Resolved): string {
  return place(`in/${name}`, value);
}

/** One path an element, for commands that name them one by one. */
export function itemPaths(name: string, items: readonly Resolved[]): string[] {
  return items.map((item, index) => place(`in/${name}/${String(index).padStart(6, "0")}`, item));
}

function place(base: string, value: Resolved): string {
  if (value.kind === "file") return `${base}/${value.name}`;
  return value.kind === "json" ? `${base}.json` : base;
}
