import { type Resources, worldSize } from "@wf/core";
import type { TaskRecord } from "@wf/protocol";

const GROWTH = 2;
const MEBIBYTE = 2 ** 20;

/** What the next request for memory stands on, besides the record of the attempt that ran out of it. */
export interface MemorySeen {
  /** What accounting has counted for the task's attempts so far, all processes together; null where it has not yet. */
  readonly accountedBytes: number | null;
  /** The most that each process may ask for. */
  readonly mostBytes: number;
}

/**
 * What the next attempt asks for after one that ran out of memory: twice the largest of what was asked for, measured
 * and accounted for, but not more than a job of that shape can have. Other failures change nothing.
 */
export function resourcesAfter<Asked extends Resources>(
  asked: Asked,
  record: TaskRecord,
  look: () => MemorySeen,
): Asked {
  if (record.failure?.class !== "out-of-memory") return asked;
  const { accountedBytes, mostBytes } = look();
  const used = Math.max(record.usage.peakMemoryBytes ?? 0, accountedBytes ?? 0) / worldSize(asked);
  const wanted = GROWTH * Math.max(asked.memoryBytes, used);
  const memoryBytes = Math.min(Math.ceil(wanted / MEBIBYTE) * MEBIBYTE, mostBytes);
  return { ...asked, memoryBytes: Math.max(asked.memoryBytes, memoryBytes) };
}
