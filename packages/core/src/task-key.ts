import { createHash } from "node:crypto";
import { z } from "zod";
import { canonical } from "./json.ts";

/**
 * One named reason for a task's result: its command, its code, a parameter, an input's content, its runtime.
 * Resources, site and placement never become a part.
 */
export const KeyPart = z.object({
  /** Unique within a key, such as `input train` or `param epochs`. */
  name: z.string(),
  /** SHA-256 of what the part stands for. */
  hash: z.string(),
  /** What to show to a person instead of the hash; it does not enter the key. */
  text: z.string().optional(),
});
export type KeyPart = z.infer<typeof KeyPart>;

/**
 * The cache key of a task: SHA-256 of its named parts.
 * Law: two keys are equal if and only if the parts have the same names and hashes, in whatever order.
 */
export function taskKey(parts: readonly KeyPart[]): string {
  const pairs = parts.map(({ name, hash }) => [name, hash] as const);
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return createHash("sha256").update(canonical(pairs)).digest("hex");
}
