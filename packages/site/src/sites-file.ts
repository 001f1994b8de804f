import { dirname, isAbsolute, join } from "node:path";
import { WfError } from "@wf/protocol";
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { type Environment, expandVariables } from "./expand-variables.ts";
import { LOCAL_SITE, type NamedSite, Site } from "./site.ts";

const SitesFile = z.strictObject({
  /** Other files of sites. What this file says of a name goes before what they say. */
  include: z.union([z.string(), z.array(z.string())]).optional(),
  sites: z.record(z.string().regex(/^[A-Za-z][\w-]*$/), Site).default({}),
});

/** What a file of sites may refer to. */
export interface SitesWorld {
  readonly env: Environment;
  /** The text of an included file. */
  readFile(path: string): string;
}

const NOTHING: SitesWorld = {
  env: {},
  readFile() {
    throw new Error("no other file can be read here");
  },
};

/** Reads `sites.yaml`. This machine is always there as `local`; the file may say more about it. */
export function parseSites(text: string, file: string, world: SitesWorld = NOTHING): ReadonlyMap<string, NamedSite> {
  return new Map([["local", LOCAL_SITE], ...readSites(text, file, world, [file], new Map())]);
}

/** `known`: files that were read before. Each is read once, however often files include each other. */
function readSites(
  text: string,
  file: string,
  world: SitesWorld,
  includedBy: readonly string[],
  known: Map<string, ReadonlyMap<string, NamedSite>>,
): ReadonlyMap<string, NamedSite> {
  const lines = new LineCounter();
  const document = orInvalid(file, () => parseDocument(text, { lineCounter: lines }));
  const at = (offset: number | undefined) => (offset === undefined ? file : `${file}:${lines.linePos(offset).line}`);
  const [mistake] = document.errors;
  if (mistake) throw invalid(wordsOf(mistake), at(mistake.pos[0]));
  const missing = orInvalid(file, () => expandVariables(document, world.env));
  if (missing) {
    throw invalid(
      `the variable ${missing.name} is not set`,
      at(missing.offset),
      `export ${missing.name}=…, or write \${${missing.name}:-otherwise}`,
    );
  }
  const parsed = SitesFile.safeParse(orInvalid(file, () => document.toJS()) ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]] : issue.path;
    throw invalid(`${issue.path.join(".") || "the file"}: ${issue.message}`, at(offsetOf(document, path)));
  }
  const sites = new Map<string, NamedSite>();
  for (const name of [parsed.data.include ?? []].flat()) {
    const path = isAbsolute(name) ? name : join(dirname(file), name);
    const where = at(offsetOf(document, ["include"]));
    if (includedBy.includes(path)) throw invalid(`${name} includes itself`, where);
    const included =
      known.get(path) ?? readSites(readIncluded(path, world, where), path, world, [...includedBy, path], known);
    known.set(path, included);
    for (const [site, settings] of included) sites.set(site, settings);
  }
  for (const [name, site] of Object.entries(parsed.data.sites)) sites.set(name, { name, ...site });
  return sites;
}

/** Text that grows without bounds when its aliases are followed, or is nested deeper than anybody writes. */
function orInvalid<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw invalid(wordsOf(cause as Error), file);
  }
}

function wordsOf(error: Error): string {
  const isTooDeep = error instanceof RangeError || error.message.startsWith("Maximum call stack size exceeded");
  return isTooDeep ? "it is nested too deeply" : (error.message.split("\n")[0] ?? "");
}

function readIncluded(path: string, world: SitesWorld, where: string): string {
  try {
    return world.readFile(path);
  } catch (cause) {
    throw invalid(`${path} cannot be included: ${(cause as Error).message}`, where);
  }
}

function offsetOf(document: Document, path: readonly unknown[]): number | undefined {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  return node?.range?.[0];
}

function invalid(
  message: string,
  where: string,
  hint = "see docs/sites.md for every setting, with an example",
): WfError {
  return new WfError("WF_SITE_INVALID", message, { where, hint });
}

export function findSite(sites: ReadonlyMap<string, NamedSite>, name: string): NamedSite {
  const site = sites.get(name);
  if (site) return site;
  throw new WfError("WF_SITE_UNKNOWN", `no site is called "${name}"`, {
    hint: `known sites: ${[...sites.keys()].join(", ")}. Add others to sites.yaml; "wf sites" lists them`,
  });
}
