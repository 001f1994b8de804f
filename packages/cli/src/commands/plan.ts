import { PlanWriter, plannedLines } from "@wf/run";
import { askOnTerminal } from "@wf/transport";
import type { PlanOptions } from "../command-options.ts";
import { prepareWords } from "../running/prepare-words.ts";
import { printJson, printLines, screenOf } from "../screen.ts";
import { PlanPrinter } from "../view/plan-printer.ts";

/** Says what would run, and why; `--save` writes it down for `wf run`. */
export async function plan(file: string, options: PlanOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const prepared = await prepareWords(file, options, () => undefined);
  let saved: PlanWriter | undefined;
  let printer: PlanPrinter | undefined;
  try {
    const { signal } = new AbortController();
    for await (const line of plannedLines(prepared, { cache: options.cache, ask: askOnTerminal, signal })) {
      if (line.type === "plan") {
        if (options.save !== undefined) saved = new PlanWriter(options.save, line);
        if (options.json) printJson(screen, line);
        else {
          const shown = { showsAll: options.all === true, capacity: prepared.capacity, columns: screen.columns };
          printer = new PlanPrinter(line, shown, screen.colours);
        }
        continue;
      }
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
