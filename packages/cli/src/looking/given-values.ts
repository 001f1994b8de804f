import type { ObjectStore } from "@wf/data";
import type { Value } from "@wf/protocol";
import type { Store, StoredArtifact } from "@wf/store";

/** The inputs of a task as values that can be compared, by name. Absent ones are left out. */
export function givenValues(store: Store, objects: ObjectStore, run: string, task: string): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { name, artifact } of store.task(run, task).inputs) {
    const known = artifact === null ? undefined : store.artifact(artifact.hash, artifact.kind);
    if (known !== undefined) values.set(name, storedValue(store, objects, known));
  }
  return values;
}

function storedValue(store: Store, objects: ObjectStore, artifact: StoredArtifact): Value {
  const { hash, sizeBytes: size } = artifact;
  switch (artifact.kind) {
    case "file":
      return { kind: "file", hash, size, name: artifact.name ?? "" };
    case "directory":
      return { kind: "directory", hash, size, files: artifact.files ?? 0 };
    case "dataset":
      return { kind: "dataset", hash, size, files: artifact.files ?? 0, rows: artifact.rows ?? 0 };
    case "json":
      return { kind: "json", hash, size, value: objects.readJson(hash) };
    case "list":
      return { kind: "list", items: store.listItems(hash).map((item) => storedValue(store, objects, item)) };
  }
}
