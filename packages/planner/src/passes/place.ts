import type { Placement } from "@wf/site";

/** How a set of files reaches a task. Said per set: big inputs may be linked where scratch data is copied. */
export interface PlacedFiles {
  readonly files: "inputs" | "code" | "intermediate" | "outputs";
  readonly how: "link" | "copy" | "transfer";
}

const HOW = { shared: "link", copy: "copy", transfer: "transfer" } as const satisfies Record<
  Placement,
  PlacedFiles["how"]
>;

export function placeFiles(placement: Placement): readonly PlacedFiles[] {
  const how = HOW[placement];
  return [
    { files: "inputs", how },
    { files: "code", how },
    { files: "intermediate", how },
    { files: "outputs", how: "copy" },
  ];
}

export function howToPlace(placed: readonly PlacedFiles[], files: PlacedFiles["files"]): "link" | "copy" {
  // What the scheduler has sent is the job's own already.
  return placed.find((set) => set.files === files)?.how === "copy" ? "copy" : "link";
}
