import { type Resources, type TaskRecord, worldSize } from "@wf/core";

const GROWTH = 2;
const MEBIBYTE = 2 ** 20;

/**
 * What the next attempt asks for after one that ran out of memory: twice what was asked for or measured, whichever is
 * more, but not more than one job may have. Other failures change nothing.
 */
export function resourcesAfter<Asked extends Resources>(asked: Asked, record: TaskRecord, mostBytes: number): Asked {
  if (record.failure?.class !== "out-of-memory") return asked;
  const size = worldSize(asked);
  const measured = (record.usage.peakMemoryBytes ?? 0) / size;
  const wanted = GROWTH * Math.max(asked.memoryBytes, measured);
  const memoryBytes = Math.min(Math.ceil(wanted / MEBIBYTE) * MEBIBYTE, mostBytes / size);
  return { ...asked, memoryBytes: Math.max(asked.memoryBytes, memoryBytes) };
}
