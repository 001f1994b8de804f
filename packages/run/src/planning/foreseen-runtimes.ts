import type { RuntimePreparer } from "@wf/backend";
import type { PlanLine, PlannedStage } from "@wf/planner";
import type { RuntimeWish } from "@wf/protocol";

/** A line of a plan, with a warning where its stage needs a runtime that will have to be prepared. Each is told once. */
export class ForeseenRuntimes {
  readonly #stages: ReadonlyMap<string, PlannedStage>;
  readonly #preparer: RuntimePreparer;
  readonly #told = new Set<string>();

  constructor(stages: ReadonlyMap<string, PlannedStage>, preparer: RuntimePreparer) {
    this.#stages = stages;
    this.#preparer = preparer;
  }

  async warn<T extends PlanLine>(line: T, signal: AbortSignal): Promise<T> {
    if (line.type !== "stage") return line;
    const wish = this.#stages.get(line.stage)?.wish ?? null;
    const runs = line.run > 0 || line.growsAfter.length > 0;
    if (wish === null || !runs) return line;
    const wanted = showWish(wish);
    if (this.#told.has(wanted) || (await this.#preparer.find(wish, signal)) !== null) return line;
    this.#told.add(wanted);
    return { ...line, warnings: [...line.warnings, `a python runtime will be prepared: ${wanted}`] };
  }
}

export function showWish({ requirements, requiresPython }: RuntimeWish): string {
  const python = requiresPython === null ? [] : [`Python ${requiresPython}`];
  return [...python, ...requirements].join(", ");
}
