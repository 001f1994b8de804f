import { mkdirSync } from "node:fs";
import type { Fact } from "@wf/engine";
import { localRunFolder } from "@wf/protocol";
import pino, { type Logger } from "pino";

/**
 * What the engine of a run did, for whoever looks into it later: `runs/RUN/engine.log`, one JSON object a line. A log
 * that cannot be written ends no run: on a full disk it is the store that tells.
 */
export function openRunLog(storage: string, run: string): Logger {
  const { root, engineLog } = localRunFolder(storage, run);
  mkdirSync(root, { recursive: true });
  const file = pino.destination({ dest: engineLog, sync: true });
  file.on("error", () => undefined);
  return pino({ base: { run, pid: process.pid } }, file);
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
    case "task.sliced":
      log.info({ task: fact.task, attempt: fact.attempt, failure: fact.failure, slice: fact.slice }, "task.sliced");
      return;
    case "task.revoked":
      log.warn({ task: fact.task, attempt: fact.record.attempt, failure: fact.record.failure }, "task.revoked");
      return;
    case "run.confirming":
      log.info({ successes: fact.successes }, "run.confirming");
      return;
    case "runtime.ready":
      log.info({ runtime: fact.runtime, how: fact.how, interpreter: fact.interpreter }, "runtime.ready");
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
