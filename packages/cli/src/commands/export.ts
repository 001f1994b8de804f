import { resolve } from "node:path";
import { type ExportedDag, exportDagman, reasonText } from "@wf/export-dagman";
import { runtimeKey } from "@wf/launcher";
import { placeFiles } from "@wf/planner";
import { shellQuote, WfError } from "@wf/protocol";
import { checkExportFolder, keepValue, knownFunctions, planRequest, writeExport } from "@wf/run";
import type { NamedSite } from "@wf/site";
import type { ExportOptions } from "../command-options.ts";
import { pairs } from "../format/table.ts";
import { prepareWords } from "../running/prepare-words.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

/** Writes the static part of a workflow as a folder that HTCondor's DAGMan runs without wf. */
export async function exportCommand(_format: "dagman", file: string, options: ExportOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const folder = checkExportFolder(options.output);
  const prepared = await prepareWords(file, options, () => undefined);
  const functions = knownFunctions(prepared);
  try {
    const { store, objects, site, plan, graph } = prepared;
    checkSite(site);
    store.holdStill();
    const request = planRequest(prepared, options.cache, (hash, size) => objects.isIntact(hash, size));
    const runtimes = [...plan.stages].flatMap(([stage, { wish }]) =>
      wish === null ? [] : [[stage, { key: runtimeKey(wish, site.python ?? null), wish }] as const],
    );
    const dag = await exportDagman({
      graph,
      plan,
      site,
      inputs: request.inputs,
      ops: request.ops,
      known: request.known,
      useCache: options.cache,
      callFn: (task) => functions.call(task),
      runtimes: new Map(runtimes),
      retries: options.retries ?? 0,
      context: {
        artifacts: { keep: (value) => keepValue(objects, value) },
        placement: placeFiles(site.placement),
        siteEnv: site.env,
        python: site.python ?? "python3",
      },
    });
    refuseWhatGrows(dag, options.staticPart === true);
    const { sizeBytes, objects: count } = await writeExport(dag, folder, objects);
    if (options.json) {
      const { files, content, ...facts } = dag;
      printJson(screen, { type: "exported", format: "dagman", folder, objects: count, sizeBytes, ...facts });
    } else printLines(screen, exportedLines(dag, folder, screen));
    return 0;
  } finally {
    await functions.close();
    prepared.store.close();
  }
}

function checkSite({ name, backend, placement }: NamedSite): void {
  if (backend !== "htcondor") {
    throw new WfError("WF_USAGE", `the site "${name}" is no HTCondor pool`, {
      hint: "name one with --site; in sites.yaml: pool: { backend: htcondor, storage: /shared/folder }",
    });
  }
  if (placement === "shared") return;
  throw new WfError("WF_USAGE", `an exported DAG needs a folder that all machines see, and "${name}" has none`, {
    where: `placement: ${placement}`,
    hint: `run it with wf run --site ${name}, or export it for a site with placement: shared`,
  });
}

/** A DAG that silently leaves something out would look as if it had done everything. */
function refuseWhatGrows({ leftOut, tasks }: ExportedDag, takesPart: boolean): void {
  if (leftOut.length === 0 && tasks === 0) {
    throw new WfError("WF_USAGE", "nothing is left to run: all results are known from earlier runs", {
      hint: "--no-cache exports every task",
    });
  }
  if (leftOut.length === 0 || (takesPart && tasks > 0)) return;
  const stages = leftOut.map(({ stage, reason }) => `${stage}: ${reasonText(reason)}`);
  throw new WfError(
    "WF_EXPORT_DYNAMIC",
    [`${leftOut.length} stages depend on what others come to, and no fixed DAG can have them:`, ...stages].join("\n"),
    {
      hint:
        tasks === 0
          ? "nothing else is left to export; run it with wf run"
          : `--static-part exports the other ${tasks} tasks; results that a run has left here are used, and make more of it static`,
    },
  );
}

function exportedLines(dag: ExportedDag, folder: string, { colours }: Screen): string[] {
  const { nodes, tasks, reused, called, leftOut, secrets, missing } = dag;
  const rows: [string, string][] = [
    ["run it", `cd ${shellQuote(folder)} && condor_submit_dag ${shellQuote(dag.dagFile)}`],
    ["read", resolve(folder, "README")],
  ];
  if (reused > 0) rows.push(["known", `${reused} results of earlier runs go with it`]);
  if (called > 0) rows.push(["called", `${called} functions of the workflow, whose inputs are known`]);
  if (secrets.length > 0) rows.push(["secrets", `${secrets.join(", ")}: README says how to give them`]);
  if (missing.length > 0) rows.push(["not made", missing.map(({ name }) => name).join(", ")]);
  return [
    `${colours.bold(folder)} has ${tasks} tasks in ${nodes} nodes`,
    ...pairs(rows, colours.gray, "  "),
    ...(leftOut.length === 0 ? [] : ["", "left out, since no fixed DAG can have it:"]),
    ...leftOut.map(({ stage, reason }) => `  ${stage}: ${colours.gray(reasonText(reason))}`),
  ];
}
