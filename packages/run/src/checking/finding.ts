/** Something that `wf check` has to say about a place in a workflow. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** A code of wf, or the compiler's. */
  readonly code: string;
  readonly message: string;
  /** Relative to the project; undefined where no single file is meant. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
  /** From 1. */
  readonly column?: number | undefined;
  readonly hint?: string | undefined;
  /** What is meant, for a frame. */
  readonly excerpt?: { readonly lines: readonly string[]; readonly length: number } | undefined;
}
