import { type ChildProcess, fork } from "node:child_process";
import { createWriteStream, mkdirSync, rmSync, symlinkSync, type WriteStream } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Graph, outputPath, type TaskNode } from "@wf/core";
import { materialise, type ObjectStore, pathIn } from "@wf/data";
import type { FnCall, FnHost, FnResult, FnUsage } from "@wf/engine";
import { type Json, type Value, WfError } from "@wf/protocol";
import { inWords, isOfOneObject } from "../sites/send-inputs.ts";
import type { FnReply, FnRequest } from "./fn-worker.ts";

export interface FnHostOptions {
  readonly graph: Graph;
  /** The module that the workflow was bundled into. */
  readonly bundleUrl: string;
  readonly params: unknown;
  readonly objects: ObjectStore;
  /** Where attempts keep their logs. */
  attemptFolder(attempt: string): string;
  /** Brings content here that lies elsewhere. */
  bring(values: readonly Value[]): Promise<void>;
}

const WORKER = fileURLToPath(import.meta.resolve("#fn-worker"));
const UNMEASURED: FnUsage = {
  userSeconds: null,
  systemSeconds: null,
  peakMemoryBytes: null,
  readBytes: null,
  writtenBytes: null,
};

/** Runs `fn` tasks one after the other in a process of their own, which is started when the first one comes. */
export function createFnHost(options: FnHostOptions): FnHost {
  let worker: Promise<ChildProcess> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const stop = async () => {
    const running = await worker?.catch(() => undefined);
    worker = undefined;
    running?.kill("SIGKILL");
  };
  const run = async (call: FnCall, signal: AbortSignal): Promise<FnResult> => {
    const folder = options.attemptFolder(call.attempt);
    mkdirSync(folder, { recursive: true });
    try {
      const inputs = await stageInputs(call, folder, options).catch((error: unknown) => {
        if (isOfOneObject(error)) return inWords("its inputs cannot be staged", error);
        throw error;
      });
      if (typeof inputs === "string") return { ok: false, class: "stage-in", message: inputs, usage: UNMEASURED };
      worker ??= startWorker(options);
      const child = await worker;
      const answer = await ask(child, { stage: call.task, folder, inputs, params: call.params }, call, folder, signal);
      if (answer === "time-limit" || answer === "cancelled") {
        await stop();
        const message =
          answer === "cancelled" ? "cancelled" : `still running after its time limit of ${call.timeLimitSeconds} s`;
        return { ok: false, class: answer, message, usage: UNMEASURED };
      }
      if (answer === "died") {
        await stop();
        return { ok: false, class: "exit", message: "the process that runs fn tasks ended", usage: UNMEASURED };
      }
      if (answer.type !== "done") {
        return {
          ok: false,
          class: "exit",
          message: answer.message,
          usage: answer.type === "failed" ? answer.usage : UNMEASURED,
        };
      }
      return keepOutputs(options, call, answer.outputs, answer.usage);
    } finally {
      rmSync(join(folder, "in"), { recursive: true, force: true });
    }
  };
  return {
    run: (call, signal) => {
      const result = last.then(() => run(call, signal));
      last = result.catch(() => undefined);
      return result;
    },
    close: stop,
  };
}

async function startWorker({ bundleUrl, params, graph }: FnHostOptions): Promise<ChildProcess> {
  const child = fork(WORKER, [bundleUrl, JSON.stringify(params), JSON.stringify(Object.keys(graph.inputs))], {
    // The worker writes the logs of a task itself; only what Node says when it dies comes through the pipe.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "advanced",
    execArgv: ["--enable-source-maps"],
  });
  const first = await new Promise<FnReply | null>((resolve) => {
    child.once("message", (message) => resolve(message as FnReply));
    child.once("exit", () => resolve(null));
  });
  if (first?.type === "ready") return child;
  child.kill("SIGKILL");
  throw new WfError(
    "WF_INTERNAL",
    `the process for fn tasks did not start: ${first?.type === "broken" ? first.message : "it ended"}`,
  );
}

type Answer = Extract<FnReply, { type: "done" | "failed" | "broken" }>;

function ask(
  child: ChildProcess,
  request: FnRequest,
  call: FnCall,
  folder: string,
  signal: AbortSignal,
): Promise<Answer | "time-limit" | "cancelled" | "died"> {
  const stopLog = pipeTo(child.stderr, join(folder, "stderr"));
  return new Promise<Answer | "time-limit" | "cancelled" | "died">((resolve) => {
    const timer =
      call.timeLimitSeconds === null ? undefined : setTimeout(() => settle("time-limit"), call.timeLimitSeconds * 1000);
    const onMessage = (message: unknown) => settle(message as Answer);
    const onExit = () => settle("died");
    const onAbort = () => settle("cancelled");
    const settle = (answer: Answer | "time-limit" | "cancelled" | "died") => {
      clearTimeout(timer);
      child.off("message", onMessage);
      child.off("exit", onExit);
      signal.removeEventListener("abort", onAbort);
      resolve(answer);
    };
    child.on("message", onMessage);
    child.on("exit", onExit);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) settle("cancelled");
    else child.send(request);
  }).finally(stopLog);
}

/** Only what is written makes a file. Returns how to stop. */
function pipeTo(from: NodeJS.ReadableStream | null, path: string): () => void {
  let file: WriteStream | undefined;
  const onData = (text: Buffer) => {
    file ??= createWriteStream(path, { flags: "a" });
    file.write(text);
  };
  from?.on("data", onData);
  return () => {
    from?.off("data", onData);
    file?.end();
  };
}

async function stageInputs(
  call: FnCall,
  folder: string,
  { objects, bring }: FnHostOptions,
): Promise<Record<string, unknown>> {
  await bring(Object.values(call.inputs));
  const staged: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(call.inputs)) {
    staged[name] = await stage(value, join(folder, "in", name), objects);
  }
  return staged;
}

async function stage(value: Value, place: string, objects: ObjectStore): Promise<unknown> {
  switch (value.kind) {
    case "json":
      return value.value;
    case "absent":
      return undefined;
    case "list":
      return Promise.all(value.items.map((item, index) => stage(item, join(place, String(index)), objects)));
    case "file": {
      mkdirSync(place, { recursive: true });
      const link = pathIn(place, value.name);
      symlinkSync(objects.path(value.hash), link);
      return link;
    }
    case "directory":
    case "dataset":
      mkdirSync(join(place, ".."), { recursive: true });
      await materialise(value, place, objects);
      return place;
  }
}

function keepOutputs(
  { graph, objects }: FnHostOptions,
  call: FnCall,
  given: Readonly<Record<string, unknown>>,
  usage: FnUsage,
): FnResult {
  const { declaration } = graph.nodes.get(call.task) as TaskNode;
  const outputs: Record<string, Value> = {};
  for (const [name, slot] of Object.entries(declaration.outputs)) {
    const value = given?.[name];
    const wrong = (message: string): FnResult => ({ ok: false, class: "output-invalid", message, usage });
    if (value === undefined) {
      if (slot.mod !== "optional") return wrong(`it returned no "${name}"`);
      outputs[name] = { kind: "absent" };
    } else if (slot.type.kind === "json") {
      try {
        outputs[name] = objects.putJson(value as Json);
      } catch (error) {
        if (!(error instanceof WfError) || error.code !== "WF_INPUT_TYPE") throw error;
        return wrong(`output "${name}": ${error.message}`);
      }
    } else if (typeof value === "string" || value instanceof Uint8Array) {
      outputs[name] = objects.putBytes(Buffer.from(value as string), basename(outputPath(name, slot)));
    } else {
      return wrong(`output "${name}" is a file: return its content as a string or as bytes`);
    }
  }
  return { ok: true, outputs, usage };
}
