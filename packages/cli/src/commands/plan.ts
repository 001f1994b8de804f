import { createLocalPreparer } from "@wf/launcher";
import { planLines } from "@wf/planner";
import type { IsKept } from "@wf/run";
import { contentThere, ForeseenRuntimes, PlanWriter, planHeader, planRequest } from "@wf/run";
import type { PlanOptions } from "../command-options.ts";
import { prepareFile } from "../running/prepare-file.ts";
import { printJson, printLines, screenOf } from "../screen.ts";
import { PlanPrinter } from "../view/plan-printer.ts";

/** Says what would run, and why; `--save` writes it down for `wf run`. */
export async function plan(file: string, options: PlanOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const prepared = await prepareFile(file, options, () => undefined);
  let saved: PlanWriter | undefined;
  try {
    const { store, objects, site } = prepared;
    const { signal } = new AbortController();
    const content = store.hasNoResults ? null : await contentThere(site, objects, () => undefined, signal);
    const isKept: IsKept = (hash, size) => objects.isIntact(hash, size) || content?.has(hash, size) === true;
    store.holdStill();
    const header = planHeader(prepared);
    const lines = planLines(planRequest(prepared, options.cache, isKept));
    saved = options.save === undefined ? undefined : new PlanWriter(options.save, header);
    const printer = options.json
      ? undefined
      : new PlanPrinter(
          header,
          { showsAll: options.all === true, capacity: prepared.capacity, columns: screen.columns },
          screen.colours,
        );
    if (!printer) printJson(screen, header);
    const runtimes =
      site.backend === "local"
        ? new ForeseenRuntimes(
            prepared.plan.stages,
            createLocalPreparer({ storage: store.folder, python: site.python }),
          )
        : undefined;
    for (const planned of lines) {
      const line = runtimes && planned.type === "stage" ? await runtimes.warn(planned, signal) : planned;
      saved?.write(line);
      if (printer) printLines(screen, printer.line(line));
      else printJson(screen, line);
    }
    saved?.close();
    if (printer) printLines(screen, printer.end(options.save));
    return 0;
  } catch (error) {
    saved?.abandon();
    throw error;
  } finally {
    prepared.store.close();
  }
}
