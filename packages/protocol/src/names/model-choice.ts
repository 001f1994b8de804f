import { NAME } from "./name.ts";

/** Which version of a registered model is meant. `highest` and `lowest` go by a metric that it was registered with. */
export type ModelChoice = { readonly name: string } & (
  | { readonly pick: "newest" }
  | { readonly pick: "version"; readonly version: number }
  | { readonly pick: "tag"; readonly tag: string }
  | { readonly pick: "highest" | "lowest"; readonly metric: string }
);

/** What a person may write. */
export const MODEL_FORMS = "NAME, NAME@3, NAME@TAG, NAME@best:METRIC or NAME@lowest:METRIC";

/**
 * `lung-unet` is the newest version, `lung-unet@3` the third, `lung-unet@good` the one with that tag,
 * `lung-unet@best:dice` the one with the highest dice, `lung-unet@lowest:loss` the one with the lowest loss.
 * Undefined for what makes no sense.
 */
export function parseModelChoice(text: string): ModelChoice | undefined {
  const at = text.indexOf("@");
  const name = at < 0 ? text : text.slice(0, at);
  if (!NAME.test(name)) return undefined;
  if (at < 0) return { name, pick: "newest" };
  const version = text.slice(at + 1);
  if (/^[1-9]\d{0,8}$/.test(version)) return { name, pick: "version", version: Number(version) };
  const [, how, metric] = /^(best|lowest):(.+)$/s.exec(version) ?? [];
  if (metric !== undefined) return { name, pick: how === "best" ? "highest" : "lowest", metric };
  return NAME.test(version) ? { name, pick: "tag", tag: version } : undefined;
}

/** As `parseModelChoice` reads it. */
export function showModelChoice(choice: ModelChoice): string {
  switch (choice.pick) {
    case "newest":
      return choice.name;
    case "version":
      return `${choice.name}@${choice.version}`;
    case "tag":
      return `${choice.name}@${choice.tag}`;
    case "highest":
      return `${choice.name}@best:${choice.metric}`;
    case "lowest":
      return `${choice.name}@lowest:${choice.metric}`;
  }
}
