import { join } from "node:path";
import { valueHash } from "@wf/data";
import { PLAN_VERSION, PlanHeader, placeFiles } from "@wf/planner";
import { isNestedWithin, MOST_NESTED_DOCUMENT, WfError } from "@wf/protocol";
import { refuseNetworkFileSystem } from "@wf/store";
import { readFirstLine } from "../inputs/small-file.ts";
import { findProject } from "../project.ts";
import { loadBundle } from "../workflow-file/load-bundle.ts";
import { type Preparation, prepare } from "./preparation.ts";

export function isPlanFile(file: string): boolean {
  return /\.jsonl?$/.test(file);
}

/** The first line of a saved plan: enough to run it again on another day. */
export function planHeader({ loaded, graph, site, inputs }: Preparation): PlanHeader {
  return {
    type: "plan",
    version: PLAN_VERSION,
    workflow: { name: graph.workflow, file: loaded.file, hash: loaded.hash, bundle: loaded.bundle },
    params: graph.params,
    inputs: Object.fromEntries([...inputs].map(([name, { path, value }]) => [name, { path, hash: valueHash(value) }])),
    site: site.name,
    clustering: site.clustering,
    placement: [...placeFiles(site.placement)],
  };
}

/** Prepares what a saved plan says, and refuses if its code or its inputs are no longer what they were. */
export async function preparePlanFile(
  file: string,
  store: string | undefined,
  note: (text: string) => void,
): Promise<Preparation> {
  const header = readHeader(file);
  const project = findProject(file, store);
  refuseNetworkFileSystem(project.storeFolder);
  const { bundle, file: workflowFile, hash } = header.workflow;
  const again = `make a new plan, with the inputs and parameters of the old one: wf plan ${workflowFile} … --save ${file}`;
  const loaded = await loadBundle(
    { bundle, file: workflowFile, kept: { hash, where: file, hint: again } },
    join(project.storeFolder, "bundles"),
  );
  const prepared = await prepare(
    loaded,
    project,
    {
      params: header.params,
      inputs: new Map(Object.entries(header.inputs).map(([name, { path }]) => [name, path])),
      site: header.site,
      clustering: header.clustering,
    },
    note,
  );
  for (const [name, { value, path }] of prepared.inputs) {
    if (valueHash(value) === header.inputs[name]?.hash) continue;
    prepared.store.close();
    throw new WfError("WF_PLAN_STALE", `input "${name}" has changed since the plan was made`, {
      where: path,
      hint: again,
    });
  }
  return prepared;
}

function readHeader(file: string): PlanHeader {
  let line: string;
  try {
    line = readFirstLine(file);
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    const why = isMissing ? `${file} does not exist` : `the plan cannot be read: ${(cause as Error).message}`;
    throw new WfError("WF_FILE_NOT_FOUND", why, {
      hint: "name a workflow file, or a plan of `wf plan --save`",
      cause,
    });
  }
  let first: unknown;
  try {
    first = JSON.parse(line);
    if (!isNestedWithin(MOST_NESTED_DOCUMENT, first)) first = undefined;
  } catch {
    first = undefined;
  }
  const parsed = PlanHeader.safeParse(first);
  if (parsed.success) return parsed.data;
  const { type, version } = (first ?? {}) as { type?: unknown; version?: unknown };
  const isOther = type === "plan" && version !== PLAN_VERSION;
  throw new WfError(
    "WF_PLAN_VERSION",
    isOther ? `the plan is of version ${version}, and this wf reads ${PLAN_VERSION}` : "the file is no plan",
    {
      where: file,
      hint: "make the plan again with: wf plan FILE --save PLAN.jsonl",
    },
  );
}
