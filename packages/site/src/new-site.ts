import { printable } from "@wf/protocol";
import { Document, isCollection, isNode, type Scalar, type YAMLMap } from "yaml";

/** A site for `sites.yaml`, and what a person should know about its settings. */
export interface NewSite {
  readonly name: string;
  /** As they stand in the file: `24GB`, not a number of bytes. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Comments before the site, a line each. */
  readonly head: readonly string[];
  /** A comment beside a setting, under its path: `slurm.account`. */
  readonly remarks: Readonly<Record<string, string>>;
  /** Comments at the end of a setting that holds others, under its path: what one may want to add. */
  readonly tails: Readonly<Record<string, readonly string[]>>;
}

/** A site as it stands in `sites.yaml`, not indented. */
export function siteLines({ name, settings, head, remarks, tails }: NewSite): readonly string[] {
  const document = new Document({});
  const pair = document.createPair<Scalar, YAMLMap>(name, literal(settings));
  pair.key.commentBefore = commentOf(head);
  for (const [path, remark] of Object.entries(remarks)) {
    const value = pair.value?.getIn(keysOf(path), true);
    // A comment behind a collection would stand after it, so it stands before its first item.
    if (isCollection(value)) value.commentBefore = commentOf([remark]);
    else if (isNode(value)) value.comment = commentOf([remark]);
  }
  for (const [path, lines] of Object.entries(tails)) {
    const value = pair.value?.getIn(keysOf(path), true);
    if (isNode(value)) value.comment = commentOf(lines);
  }
  document.add(pair);
  return document.toString({ lineWidth: 0 }).trimEnd().split("\n");
}

/**
 * What a site says of itself stands for itself: a folder or partition that is called `${TOKEN}` there would otherwise
 * become the value of a variable here, and go back to the site.
 */
function literal(setting: unknown): unknown {
  if (typeof setting === "string") return setting.replaceAll("$", "$$$$");
  if (Array.isArray(setting)) return setting.map(literal);
  if (setting === null || typeof setting !== "object") return setting;
  return Object.fromEntries(Object.entries(setting).map(([name, value]) => [name, literal(value)]));
}

function keysOf(path: string): readonly (string | number)[] {
  return path.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** They tell what the site says of itself, which might end the line. */
function commentOf(lines: readonly string[]): string {
  return lines.map((line) => ` ${printable(line)}`).join("\n");
}
