import type { Manifest, Value } from "@wf/protocol";
import { fileColumnsOf } from "./composite-value.ts";
import { fileCell } from "./dataset-row.ts";
import type { ManifestReader } from "./value-store.ts";

export interface ObjectReference {
  readonly hash: string;
  /** It leads to further objects. */
  readonly isManifest: boolean;
  /** Null for manifests, whose own size nobody notes. */
  readonly sizeBytes: number | null;
  readonly isExecutable: boolean;
}

/**
 * Every object that a value stands on, manifests included and before what they lead to; an object may be named more
 * than once.
 */
export function* valueObjects(manifests: ManifestReader, value: Value): Generator<ObjectReference> {
  for (const reference of valueReferences(value)) {
    yield reference;
    if (reference.isManifest) yield* manifestReferences(manifests.readManifest(reference.hash));
  }
}

/** What a manifest names itself, one level down. */
export function* manifestReferences(manifest: Manifest): Generator<ObjectReference> {
  switch (manifest.kind) {
    case "directory":
      for (const { hash, size, executable = false } of manifest.entries) yield content(hash, size, executable);
      return;
    case "dataset": {
      const fileColumns = fileColumnsOf(manifest.columns);
      for (const row of manifest.rows) {
        for (const column of fileColumns) {
          const { hash, size } = fileCell(row, column);
          yield content(hash, size, false);
        }
      }
      return;
    }
    case "list":
      for (const item of manifest.items) yield* valueReferences(item);
      return;
  }
}

/** What a value names itself. */
export function* valueReferences(value: Value): Generator<ObjectReference> {
  switch (value.kind) {
    case "file":
    case "json":
      yield content(value.hash, value.size, false);
      return;
    case "directory":
    case "dataset":
      yield { hash: value.hash, isManifest: true, sizeBytes: null, isExecutable: false };
      return;
    case "list":
      for (const item of value.items) yield* valueReferences(item);
      return;
    case "absent":
      return;
  }
}

function content(hash: string, sizeBytes: number, isExecutable: boolean): ObjectReference {
  return { hash, isManifest: false, sizeBytes, isExecutable };
}
