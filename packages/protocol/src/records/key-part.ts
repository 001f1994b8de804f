import { z } from "zod";

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
