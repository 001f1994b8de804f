import type { KeyPart } from "@wf/protocol";

/** In one line how a key differs from an earlier one: "param lr: 0.1 -> 0.2, input train changed". */
export function explainKey(now: readonly KeyPart[], before: readonly KeyPart[]): string {
  const earlier = new Map(before.map((part) => [part.name, part]));
  const changes: string[] = [];
  for (const part of now) {
    const old = earlier.get(part.name);
    earlier.delete(part.name);
    if (!old) changes.push(`${part.name} is new`);
    else if (old.hash !== part.hash) {
      const shown = part.name.startsWith("param") && old.text !== undefined && part.text !== undefined;
      changes.push(shown ? `${part.name}: ${old.text} -> ${part.text}` : `${part.name} changed`);
    }
  }
  for (const name of earlier.keys()) changes.push(`${name} is gone`);
  return changes.length === 0 ? "its result is no longer in the store" : changes.join(", ");
}
