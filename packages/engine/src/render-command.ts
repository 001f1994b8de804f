import type { CommandTemplate } from "@wf/core";
import { canonical, type Json } from "@wf/protocol";

/** What a name in a command stands for: one text, or several. */
export type Rendered = string | readonly string[];

/** Puts paths and values into an argument vector. A list that is an argument of its own becomes several. */
export function renderCommand(template: CommandTemplate, lookUp: (from: string, name: string) => Rendered): string[] {
  return template.flatMap((parts) => {
    const [only] = parts;
    if (parts.length === 1 && typeof only === "object") {
      const value = lookUp(only.from, only.name);
      return typeof value === "string" ? [value] : [...value];
    }
    return parts
      .map((part) => {
        if (typeof part === "string") return part;
        const value = lookUp(part.from, part.name);
        return typeof value === "string" ? value : value.join(",");
      })
      .join("");
  });
}

export function renderParam(value: Json): Rendered {
  if (value === null) return "";
  if (Array.isArray(value)) return value.flatMap((element) => renderParam(element as Json));
  return typeof value === "object" ? canonical(value) : String(value);
}
