import { WfError } from "@wf/core";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { LOCAL_SITE, type NamedSite, Site } from "./site.ts";

const SitesFile = z.strictObject({ sites: z.record(z.string().regex(/^[A-Za-z][\w-]*$/), Site) });

/** Reads `sites.yaml`. This machine is always there as `local`; the file may say more about it. */
export function parseSites(text: string, file: string): ReadonlyMap<string, NamedSite> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [mistake] = document.errors;
  if (mistake) throw invalid(mistake.message.split("\n")[0] ?? "", `${file}:${lines.linePos(mistake.pos[0]).line}`);
  const parsed = SitesFile.safeParse(document.toJS() ?? { sites: {} });
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]] : issue.path;
    const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
    const line = node?.range ? `:${lines.linePos(node.range[0]).line}` : "";
    throw invalid(`${issue.path.join(".") || "the file"}: ${issue.message}`, `${file}${line}`);
  }
  const sites = new Map<string, NamedSite>([["local", LOCAL_SITE]]);
  for (const [name, site] of Object.entries(parsed.data.sites)) sites.set(name, { name, ...site });
  return sites;
}

function invalid(message: string, where: string): WfError {
  return new WfError("WF_SITE_INVALID", message, {
    where,
    hint: "see docs/sites.md for every setting, with an example",
  });
}

export function findSite(sites: ReadonlyMap<string, NamedSite>, name: string): NamedSite {
  const site = sites.get(name);
  if (site) return site;
  throw new WfError("WF_SITE_UNKNOWN", `no site is called "${name}"`, {
    hint: `known sites: ${[...sites.keys()].join(", ")}. Add others to sites.yaml; "wf sites" lists them`,
  });
}
