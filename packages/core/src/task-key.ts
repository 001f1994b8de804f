import { type KeyPart, sha256 } from "@wf/protocol";

/**
 * The cache key of a task: SHA-256 of its named parts.
 * Law: two keys are equal if and only if the parts have the same names and hashes, in whatever order.
 */
export function taskKey(parts: readonly KeyPart[]): string {
  // A hash has no line break, so no two lists of parts make the same text.
  const lines = parts.map(({ name, hash }) => `${hash} ${JSON.stringify(name)}`);
  return sha256(lines.sort().join("\n"));
}
