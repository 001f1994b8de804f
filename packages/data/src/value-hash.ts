import { createHash } from "node:crypto";
import type { Value } from "@wf/protocol";
import { sha256 } from "./sha256.ts";

/**
 * What a task can see of a value, as one hash: the part of a cache key that speaks of an input.
 * Law: two values have equal hashes if and only if they have the same kind and the same content. A file's name is
 * content too, since the task meets it in the path of the staged file. The kind goes in because a JSON text could
 * otherwise pass for the manifest of a directory.
 */
export function valueHash(value: Value): string {
  switch (value.kind) {
    case "file":
      return sha256(`file\n${value.hash}\n${value.name}`);
    case "directory":
    case "dataset":
    case "json":
      return sha256(`${value.kind}\n${value.hash}`);
    case "absent":
      return ABSENT;
    case "list": {
      const digest = createHash("sha256").update("list\n");
      for (const item of value.items) digest.update(valueHash(item));
      return digest.digest("hex");
    }
  }
}

const ABSENT = sha256("absent");
