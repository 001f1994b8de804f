/** The process in which a workflow's `fn` tasks run, one at a time, so that what it used is what the task used. */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Graph, isWorkflow } from "@wf/core";
import type { Json } from "@wf/protocol";

export interface FnRequest {
  readonly stage: string;
  /** Where its logs go. */
  readonly folder: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, Json>>;
}

export type FnReply =
  | { readonly type: "ready" }
  | { readonly type: "broken"; readonly message: string }
  | { readonly type: "done"; readonly outputs: Readonly<Record<string, unknown>>; readonly usage: ProcessUsage }
  | { readonly type: "failed"; readonly message: string; readonly usage: ProcessUsage };

export interface ProcessUsage {
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly peakMemoryBytes: number;
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

interface Reading {
  readonly userMicros: number;
  readonly systemMicros: number;
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

function read(): Reading {
  const { userCPUTime: userMicros, systemCPUTime: systemMicros } = process.resourceUsage();
  try {
    const io = readFileSync("/proc/self/io", "utf8");
    const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(io)?.[1]);
    return { userMicros, systemMicros, readBytes: figure("rchar"), writtenBytes: figure("wchar") };
  } catch {
    return { userMicros, systemMicros, readBytes: null, writtenBytes: null };
  }
}

function usageSince(before: Reading): ProcessUsage {
  const now = read();
  const grown = (a: number | null, b: number | null) => (a === null || b === null ? null : b - a);
  return {
    userSeconds: (now.userMicros - before.userMicros) / 1e6,
    systemSeconds: (now.systemMicros - before.systemMicros) / 1e6,
    peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
    readBytes: grown(before.readBytes, now.readBytes),
    writtenBytes: grown(before.writtenBytes, now.writtenBytes),
  };
}

function reply(message: FnReply): void {
  process.send?.(message);
}

/** The frames that are the person's own, in the files of the workflow. */
function traceOf(error: unknown, bundleUrl: string): string {
  if (!(error instanceof Error)) return String(error);
  const folder = fileURLToPath(new URL(".", bundleUrl));
  const lines = (error.stack ?? error.message).split("\n").filter((line) => !/fn-worker\.|\(node:| node:/.test(line));
  return lines.join("\n").replaceAll(folder, "");
}

/** At once and in order: a pipe could still hold lines when the task has ended. */
function logTo(stream: NodeJS.WriteStream, path: string): void {
  stream.write = (chunk: string | Uint8Array, encoding?: unknown, done?: unknown) => {
    appendFileSync(path, chunk);
    const callback = typeof encoding === "function" ? encoding : done;
    if (typeof callback === "function") callback();
    return true;
  };
}

async function serve(bundleUrl: string, params: unknown, given: readonly string[]): Promise<void> {
  const { default: workflow } = (await import(bundleUrl)) as { default: unknown };
  if (!isWorkflow(workflow)) throw new TypeError("the bundle has no workflow");
  const graph: Graph = workflow.toGraph(params, given);
  process.on("message", async ({ stage, folder, inputs, params: own }: FnRequest) => {
    logTo(process.stdout, join(folder, "stdout"));
    logTo(process.stderr, join(folder, "stderr"));
    const before = read();
    try {
      const node = graph.nodes.get(stage);
      if (node?.kind !== "task" || node.declaration.runtime.kind !== "fn")
        throw new TypeError(`${stage} is no fn task`);
      const checked = node.declaration.params.parse(own);
      const outputs = await node.declaration.runtime.run({ inputs, params: checked });
      reply({ type: "done", outputs: outputs as Record<string, unknown>, usage: usageSince(before) });
    } catch (error) {
      process.stderr.write(`${traceOf(error, bundleUrl)}\n`);
      reply({
        type: "failed",
        message: error instanceof Error ? error.message : String(error),
        usage: usageSince(before),
      });
    }
  });
  reply({ type: "ready" });
}

const [bundleUrl, params, given] = process.argv.slice(2) as [string, string, string];
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit(0));
serve(bundleUrl, JSON.parse(params), JSON.parse(given)).catch((error: unknown) => {
  reply({ type: "broken", message: error instanceof Error ? error.message : String(error) });
});
