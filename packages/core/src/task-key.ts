import { z } from "zod";
import { sha256 } from "./sha256.ts";

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
  // A hash has no line break, so no two lists of parts make the same text.
  const lines = parts.map(({ name, hash }) => `${hash} ${JSON.stringify(name)}`);
  return sha256(lines.sort().join("\n"));
}
