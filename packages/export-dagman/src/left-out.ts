import type { Node } from "@wf/core";

/** Why tasks of a stage cannot be part of a DAG that is fixed before it runs. */
export type LeftOutReason =
  /** How many there are, whether they run or how often is decided by a result. */
  | { readonly kind: "grows"; readonly by: "each" | "when" | "repeat"; readonly because: string }
  /** It reads, or waits for, something that is left out. */
  | { readonly kind: "reads" | "waits"; readonly because: string }
  /** A function of the workflow itself that reads a result. */
  | { readonly kind: "fn"; readonly because: string }
  /** What reads it has to know whether it failed. */
  | { readonly kind: "may-fail" };

export interface LeftOutStage {
  readonly stage: string;
  readonly reason: LeftOutReason;
}

const GROWING = {
  each: "how many tasks there are is known when",
  when: "whether it runs is known when",
  repeat: "how often it runs is known when",
};

export function reasonText(reason: LeftOutReason): string {
  switch (reason.kind) {
    case "grows":
      return `${GROWING[reason.by]} ${reason.because} has run`;
    case "reads":
      return `reads what only a run can tell: it stands on ${reason.because}`;
    case "waits":
      return `waits for ${reason.because}, which is left out`;
    case "fn":
      return `is a function of the workflow, which only wf can call, when ${reason.because} has run`;
    case "may-fail":
      return "may fail, and what follows depends on whether it did";
  }
}

/** The first reason of each stage, in the order in which they were met. */
export class LeftOut {
  readonly #stages = new Map<string, LeftOutStage>();

  add(stage: string, reason: LeftOutReason): void {
    if (!this.#stages.has(stage)) this.#stages.set(stage, { stage, reason });
  }

  addGrowing(node: Node, stages: readonly string[], because: string): void {
    const by = node.kind === "when" || node.kind === "repeat" ? node.kind : "each";
    for (const stage of stages) this.add(stage, { kind: "grows", by, because });
  }

  has(stage: string): boolean {
    return this.#stages.has(stage);
  }

  list(): readonly LeftOutStage[] {
    return [...this.#stages.values()];
  }
}
