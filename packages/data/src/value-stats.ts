import type { Value } from "@wf/protocol";

export interface ValueStats {
  readonly files: number;
  readonly bytes: number;
}

/** How much there is to stage. */
export function valueStats(value: Value): ValueStats {
  switch (value.kind) {
    case "file":
    case "json":
      return { files: 1, bytes: value.size };
    case "directory":
    case "dataset":
      return { files: value.files, bytes: value.size };
    case "absent":
      return { files: 0, bytes: 0 };
    case "list": {
      let files = 0;
      let bytes = 0;
      for (const item of value.items) {
        const stats = valueStats(item);
        files += stats.files;
        bytes += stats.bytes;
      }
      return { files, bytes };
    }
  }
}
