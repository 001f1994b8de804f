import type { Manifest, Value } from "@wf/core";
import { fileColumnsOf } from "./composite-value.ts";
import { fileCell } from "./dataset-row.ts";
import type { ManifestReader } from "./value-store.ts";

export interface ObjectReference {
  readonly hash: string;
  /** It leads to further objects. */
  readonly isManifest: boolean;
}

/** Every object that a value stands on, manifests included; an object may be named more than once. */
export function* valueObjects(manifests: ManifestReader, value: Value): Generator<string> {
  for (const { hash, isManifest } of references(value)) {
    yield hash;
    if (!isManifest) continue;
    for (const inner of manifestReferences(manifests.readManifest(hash))) yield inner.hash;
  }
}

/** What a manifest names itself, one level down. */
export function* manifestReferences(manifest: Manifest): Generator<ObjectReference> {
  switch (manifest.kind) {
    case "directory":
      for (const { hash } of manifest.entries) yield { hash, isManifest: false };
      return;
    case "dataset": {
      const fileColumns = fileColumnsOf(manifest.columns);
      for (const row of manifest.rows) {
        for (const column of fileColumns) yield { hash: fileCell(row, column).hash, isManifest: false };
      }
      return;
    }
    case "list":
      for (const item of manifest.items) yield* references(item);
      return;
  }
}

function* references(value: Value): Generator<ObjectReference> {
  switch (value.kind) {
    case "file":
    case "json":
      yield { hash: value.hash, isManifest: false };
      return;
    case "directory":
    case "dataset":
      yield { hash: value.hash, isManifest: true };
      return;
    case "list":
      for (const item of value.items) yield* references(item);
      return;
    case "absent":
      return;
  }
}
