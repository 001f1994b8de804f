import { closeSync, openSync, writeSync } from "node:fs";
import { type PlanHeader, type PlanLine, planLines } from "@wf/planner";
import type { PlanOptions } from "../command-options.ts";
import { planHeader } from "../running/plan-file.ts";
import { type Preparation, planRequest, prepare } from "../running/preparation.ts";
import { printLines, screenOf } from "../screen.ts";
import { PlanPrinter } from "../view/plan-printer.ts";

/** Says what would run, and why; `--save` writes it down for `wf run`. */
export async function plan(file: string, options: PlanOptions): Promise<number> {
  const screen = screenOf(process.stdout, options);
  const prepared = await prepare(file, options, () => undefined);
  try {
    const header = planHeader(prepared);
    if (options.save !== undefined) save(options.save, header, linesOf(prepared, options));
    if (options.json) {
      for (const line of [header, ...linesOf(prepared, options)]) screen.write(`${JSON.stringify(line)}\n`);
      return 0;
    }
    const printer = new PlanPrinter(
      header,
      { showsAll: options.all === true, capacity: prepared.capacity, columns: screen.columns },
      screen.colours,
    );
    for (const line of linesOf(prepared, options)) printLines(screen, printer.line(line));
    printLines(screen, printer.end(options.save));
    return 0;
  } finally {
    prepared.store.close();
  }
}

function linesOf(prepared: Preparation, options: PlanOptions): Generator<PlanLine> {
  return planLines(planRequest(prepared, options.cache));
}

const WRITE_CHARACTERS = 1 << 20;

function save(path: string, header: PlanHeader, lines: Iterable<PlanLine>): void {
  const file = openSync(path, "w");
  try {
    let text = `${JSON.stringify(header)}\n`;
    for (const line of lines) {
      text += `${JSON.stringify(line)}\n`;
      if (text.length < WRITE_CHARACTERS) continue;
      writeSync(file, text);
      text = "";
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}
