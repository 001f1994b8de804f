import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { PreparedRuntime } from "@wf/backend";
import { z } from "zod";

const RuntimeFile = PreparedRuntime.extend({
  version: z.literal(1),
  /** Files that show that it is as it was, with size and time of change in whole seconds. */
  witnesses: z.record(z.string(), z.tuple([z.number(), z.number()])),
});

/**
 * A runtime that is ready and as it was when it was made; null if there is none, or if its interpreter or one of its
 * packages has changed. Law: `prepared.read` in the launcher judges the same.
 */
export function readPreparedRuntime(folder: string): PreparedRuntime | null {
  let text: string;
  try {
    text = readFileSync(join(folder, "runtime.json"), "utf8");
  } catch {
    return null;
  }
  const parsed = RuntimeFile.safeParse(parseJson(text));
  if (!parsed.success) return null;
  const { version: _, witnesses, ...runtime } = parsed.data;
  return Object.entries(witnesses).every(([path, stamp]) => isUnchanged(path, stamp)) ? runtime : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isUnchanged(path: string, [sizeBytes, changedAt]: readonly [number, number]): boolean {
  const status = statSync(path, { throwIfNoEntry: false });
  return status !== undefined && status.size === sizeBytes && Math.floor(status.mtimeMs / 1000) === changedAt;
}
