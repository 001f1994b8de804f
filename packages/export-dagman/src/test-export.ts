import { type Graph, json, many, task } from "@wf/core";
import { itemsOf, placeFiles, planStages, type Resolved, type ValueOps } from "@wf/planner";
import { canonical, sha256 } from "@wf/protocol";
import { type NamedSite, Site } from "@wf/site";
import { z } from "zod";
import type { ExportRequest } from "./export-dagman.ts";

/** Tasks that workflows of these tests are made of. */
export const double = task({
  name: "double",
  params: z.object({ n: z.number() }),
  outputs: { n: json(z.number()) },
  metrics: ["size"],
  command: ({ params, outputs }) => ["double", params.n, `--out=${outputs.n}`],
});
export const sum = task({
  name: "sum",
  inputs: { all: many(json(z.number())) },
  outputs: { n: json(z.number()) },
  command: ({ inputs }) => ["sum", inputs.all],
});
export const listed = task({
  name: "listed",
  outputs: { all: json(z.array(z.number())) },
  command: () => ["list"],
});

export const POOL: NamedSite = { name: "pool", ...Site.parse({ backend: "htcondor", storage: "/shared/wf" }) };

/** JSON is all that these tests need. */
const ops = { hash: (value: Resolved) => sha256(canonical(plain(value) as never)) } as Partial<ValueOps> as ValueOps;

export function plain(value: Resolved): unknown {
  if (value.kind === "list") return itemsOf(value).map(plain);
  return value.kind === "json" ? value.value : value.kind;
}

export function requestFor(
  workflow: { toGraph(params?: Record<string, unknown>, given?: Iterable<string>): Graph },
  inputs: Readonly<Record<string, unknown>> = {},
  changes: Partial<ExportRequest> = {},
): ExportRequest {
  const graph = workflow.toGraph({}, Object.keys(inputs));
  const site = changes.site ?? POOL;
  return {
    graph,
    site,
    plan: planStages({ graph, site, capacity: null, code: new Map(), bundleHash: "bundle" }),
    inputs: new Map(Object.entries(inputs).map(([name, value]) => [name, { kind: "json", value: value as never }])),
    ops,
    known: null,
    useCache: true,
    callFn: () => Promise.reject(new Error("no function is expected here")),
    runtimes: new Map(),
    retries: 0,
    context: {
      artifacts: {
        keep: (value) => ({ kind: "json", hash: "0".repeat(64), size: 1, value: plain(value) as never }),
      },
      placement: placeFiles("shared"),
      siteEnv: { OMP_NUM_THREADS: "1" },
      python: "python3",
    },
    ...changes,
  };
}
