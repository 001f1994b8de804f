import { WfError } from "@wf/protocol";
import { isMap, isScalar, LineCounter, parseDocument, type YAMLMap } from "yaml";
import { type NewSite, siteLines } from "./new-site.ts";

const FIRST_LINE = "# Where runs happen. `wf sites` lists what is here, `wf doctor --site NAME` looks at it.";
const INDENT = "  ";

/**
 * The text of `sites.yaml` with one site more, or with another one in the place of what had its name. All else stays as
 * it was written, to the letter: the file is parsed to find the place, and never printed anew.
 */
export function addSite(text: string, file: string, site: NewSite): string {
  if (text.trim() === "") return joined([FIRST_LINE, "sites:", ...indented(siteLines(site), INDENT)]);
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const lineOf = (offset: number) => counter.linePos(offset).line - 1;
  const [mistake] = document.errors;
  if (mistake) throw cannotAdd(mistake.message.split("\n")[0] ?? "", `${file}:${lineOf(mistake.pos[0]) + 1}`);
  const lines = text.trimEnd().split("\n");
  const key = isMap(document.contents)
    ? document.contents.items.map((pair) => pair.key).find((name) => isScalar(name) && name.value === "sites")
    : undefined;
  if (!isScalar(key)) return joined([...lines, "sites:", ...indented(siteLines(site), INDENT)]);
  const keyLine = lineOf(key.range?.[0] ?? 0);
  const sites = document.get("sites", true);
  if (!isMap(sites) || sites.items.length === 0) {
    const first = (lines[keyLine] as string).replace(/(sites\s*:)\s*(\{\s*\}|null|~)?/, "$1").trimEnd();
    return joined(lines.toSpliced(keyLine, 1, first, ...indented(siteLines(site), INDENT)));
  }
  if (sites.flow)
    throw cannotAdd("the sites stand in braces: write each on lines of its own", `${file}:${keyLine + 1}`);
  return joined(placed(lines, blocksOf(sites, lines, lineOf), site));
}

interface Block {
  readonly name: string;
  readonly indent: string;
  /** The first line, that of a comment right before it included, and the line behind the last one. */
  readonly from: number;
  readonly to: number;
}

function blocksOf(sites: YAMLMap, lines: readonly string[], lineOf: (offset: number) => number): readonly Block[] {
  return sites.items.map(({ key }) => {
    const at = lineOf(isScalar(key) ? (key.range?.[0] ?? 0) : 0);
    const indent = indentOf(lines[at]);
    let from = at;
    while (lines[from - 1]?.startsWith(`${indent}#`)) from -= 1;
    let to = at + 1;
    for (let line = to; line < lines.length; line += 1) {
      if (lines[line]?.trim() === "") continue;
      if (indentOf(lines[line]).length <= indent.length) break;
      to = line + 1;
    }
    return { name: String(key), indent, from, to };
  });
}

function placed(lines: readonly string[], blocks: readonly Block[], site: NewSite): readonly string[] {
  const last = blocks.at(-1) as Block;
  const fresh = indented(siteLines(site), last.indent);
  const old = blocks.find(({ name }) => name === site.name);
  return old ? lines.toSpliced(old.from, old.to - old.from, ...fresh) : lines.toSpliced(last.to, 0, "", ...fresh);
}

function indentOf(line: string | undefined): string {
  return /^ */.exec(line ?? "")?.[0] ?? "";
}

function indented(lines: readonly string[], indent: string): readonly string[] {
  return lines.map((line) => (line === "" ? line : `${indent}${line}`));
}

function joined(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

function cannotAdd(message: string, where: string): WfError {
  return new WfError("WF_SITE_INVALID", message, { where, hint: "mend this first, then type the same again" });
}
