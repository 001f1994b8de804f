import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Fact } from "@wf/engine";
import pino, { type Logger } from "pino";

/** What the engine of a run did, for whoever looks into it later: `runs/RUN/engine.log`, one JSON object a line. */
export function openRunLog(storage: string, run: string): Logger {
  const folder = join(storage, "runs", run);
  mkdirSync(folder, { recursive: true });
  return pino({ base: { run, pid: process.pid } }, pino.destination({ dest: join(folder, "engine.log"), sync: true }));
}

/** Most facts are in the store; those that something went wrong with are worth a line of their own. */
export function logFact(log: Logger, fact: Fact): void {
  switch (fact.type) {
    case "task.retry":
      log.warn(
        { task: fact.task, attempt: fact.attempt, failure: fact.failure, inSeconds: fact.inSeconds },
        "task.retry",
      );
      return;
    case "run.broken":
      log.error({ node: fact.node, code: fact.code, reason: fact.message }, "run.broken");
      return;
    case "task.ended":
      if (fact.state === "failed") log.error({ task: fact.task, cause: fact.cause }, "task.failed");
      return;
    default:
      return;
  }
}
