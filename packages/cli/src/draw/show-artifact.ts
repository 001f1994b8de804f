import type { ArtifactType } from "@wf/core";

/** A name with its type, as short as a file's name: `model.pt`, `masks/`, `score`. */
export function showArtifact(name: string, type: ArtifactType): string {
  if (type.kind === "directory") return `${name}/`;
  return type.kind === "file" && type.format !== undefined && type.format !== name ? `${name}.${type.format}` : name;
}

/** A type alone, for a shape that has the name already. */
export function showType(type: ArtifactType): string {
  switch (type.kind) {
    case "file":
      return type.format === undefined ? "file" : `${type.format} file`;
    case "directory":
      return "folder";
    case "dataset":
      return `dataset of ${Object.keys(type.columns).join(", ")}`;
    case "json":
      return type.schema === undefined ? "value" : type.schema.def.type;
  }
}
