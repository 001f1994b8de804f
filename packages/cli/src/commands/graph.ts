import { realpathSync, statSync, writeFileSync } from "node:fs";
import { extname, resolve } from "node:path";
import { WfError } from "@wf/protocol";
import { findProject, inspectWorkflow } from "@wf/run";
import { writeDocument } from "@wf/transport";
import type { GraphOptions } from "../command-options.ts";
import { toDot } from "../draw/dot.ts";
import { drawGraph } from "../draw/draw-graph.ts";
import type { Drawing } from "../draw/drawing.ts";
import { toMermaid } from "../draw/mermaid.ts";
import { toSvg } from "../draw/svg.ts";
import { givenParams } from "../running/given-params.ts";
import { printJson, screenOf } from "../screen.ts";

type Format = NonNullable<GraphOptions["format"]>;

const WRITERS: Readonly<Record<Format, (drawing: Drawing) => string>> = { svg: toSvg, mermaid: toMermaid, dot: toDot };
const ENDINGS: Readonly<Record<string, Format>> = {
  ".svg": "svg",
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
  ".dot": "dot",
  ".gv": "dot",
};

export async function graph(file: string, options: GraphOptions): Promise<number> {
  const { workflow } = await inspectWorkflow(file, findProject(file, options.store));
  const drawing = drawGraph(workflow.toGraph(givenParams(options, workflow)));
  const screen = screenOf(process.stdout);
  if (options.json === true && options.output === undefined) {
    printJson(screen, drawing);
    return 0;
  }
  const format = options.format ?? formatOf(options.output);
  const text = WRITERS[format](drawing);
  if (options.output === undefined) screen.write(text);
  else writeOutput(options.output, text);
  if (options.json === true) printJson(screen, { type: "graph.written", file: options.output, format });
  return 0;
}

function formatOf(output: string | undefined): Format {
  if (output === undefined) return "svg";
  const format = ENDINGS[extname(output).toLowerCase()];
  if (format) return format;
  throw new WfError("WF_USAGE", `the ending of ${output} does not say how to draw`, {
    hint: `end it in ${Object.keys(ENDINGS).join(", ")}, or add --format`,
  });
}

function writeOutput(output: string, text: string): void {
  try {
    const there = statSync(output, { throwIfNoEntry: false });
    // A pipe or a terminal is written to; a file stays until the new one is whole.
    if (there !== undefined && !there.isFile()) writeFileSync(output, text);
    else writeDocument(there === undefined ? output : realpathSync(output), text);
  } catch (cause) {
    throw new WfError("WF_USAGE", `the drawing cannot be written: ${(cause as Error).message}`, {
      where: resolve(output),
      hint: "name a file in a folder that exists and can be written",
      cause,
    });
  }
}
