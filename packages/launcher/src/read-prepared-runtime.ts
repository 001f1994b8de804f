import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { PreparedRuntime } from "@wf/backend";
import { z } from "zod";

const RuntimeFile = PreparedRuntime.extend({
  version: z.literal(2),
  /** Files that show that it is as it was, with size and SHA-256. */
  witnesses: z.record(z.string(), z.tuple([z.number(), z.string()])),
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
  const files = Object.entries(witnesses);
  const isAsLarge = files.every(([path, [size]]) => statSync(path, { throwIfNoEntry: false })?.size === size);
  return isAsLarge && files.every(([path, [, hash]]) => sha256Of(path) === hash) ? runtime : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sha256Of(path: string): string | undefined {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}
