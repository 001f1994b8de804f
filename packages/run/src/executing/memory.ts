import type { ObjectStore } from "@wf/data";
import type { FailureCause, Memory, TaskEnd } from "@wf/engine";
import type { RunMemory } from "@wf/store";
import { type IsKept, isThere, knownResult } from "../planning/known-results.ts";

/** What the store remembers, as long as its content is still there: a cache entry whose files are gone is none. */
export function memoryOf(run: string, memory: RunMemory, objects: ObjectStore, isKept: IsKept): Memory {
  return {
    attemptsOf: (task) => memory.attemptsOf(task),
    accountedMemoryOf: (task) => memory.accountedMemoryOf(task),
    openAttempts: () => memory.openAttempts(),
    progressOf(task) {
      const found = memory.progressOf(task);
      if (found === undefined) return { slice: 1, checkpoint: null, metrics: {} };
      const { metrics } = knownResult(run, task, { outputs: {}, metrics: memory.task(task)?.metrics ?? {} });
      return { slice: found.slice + 1, checkpoint: found.checkpoint, metrics };
    },
    recall(task) {
      const found = memory.task(task);
      if (!found || (found.state !== "done" && found.state !== "cached")) return undefined;
      return isThere(objects, found.outputs, isKept) ? knownResult(run, task, found) : undefined;
    },
    failureOf(task) {
      const found = memory.task(task);
      if (found?.state !== "failed") return undefined;
      return (found.cause as FailureCause | null) ?? { root: task, message: "it failed" };
    },
    provisionalSuccesses: () => memory.unconfirmed(),
    hasDoubts: () => memory.hasDoubts(),
    doubtOf(task) {
      const found = memory.doubtOf(task);
      return found && { was: isEnd(found.state) ? found.state : null, key: found.key };
    },
    cached(key) {
      const found = memory.cached(key);
      if (!found || !isThere(objects, found.outputs, isKept)) return undefined;
      return knownResult(found.run, found.task, found);
    },
  };
}

const NO_ENDS: ReadonlySet<string> = new Set(["ready", "submitted", "running"]);

function isEnd(state: string): state is TaskEnd {
  return !NO_ENDS.has(state);
}
