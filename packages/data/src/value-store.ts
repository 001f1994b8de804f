import type { Json, JsonValue, Manifest } from "@wf/protocol";

/** Where manifests are read from. They are shared: never change what is returned. */
export interface ManifestReader {
  /** Throws WF_ARTIFACT_MISSING if it is gone. */
  readManifest(hash: string): Manifest;
}

/** What operations on datasets and directories need of a store. */
export interface ValueStore extends ManifestReader {
  /** Returns its hash. */
  writeManifest(manifest: Manifest): string;
  putJson(value: Json): JsonValue;
}
