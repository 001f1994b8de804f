/** What a run does beside its tasks. On a site with its own store every task takes its inputs from there, so nothing is staged in. */
export interface AuxiliaryJob {
  readonly id: string;
  readonly kind: "create-dir" | "stage-in" | "stage-out" | "register" | "cleanup";
  readonly does: string;
}

export function auxiliaryJobs(inputs: readonly string[], outputs: readonly string[]): readonly AuxiliaryJob[] {
  return [
    { id: "create-dir", kind: "create-dir", does: "the run's folder, for sandboxes and records" },
    ...(inputs.length === 0
      ? []
      : [{ id: "register-inputs", kind: "register" as const, does: `hash and register ${inputs.join(", ")}` }]),
    ...(outputs.length === 0
      ? []
      : [{ id: "stage-out", kind: "stage-out" as const, does: `put ${outputs.join(", ")} into the outputs folder` }]),
    { id: "cleanup", kind: "cleanup", does: "remove the sandboxes of tasks that ended well" },
  ];
}
