import type { Fact } from "@wf/engine";
import type { QueueState, RunEvent, RunStart, RunSummary } from "@wf/run";

/**
 * What a person, or a program, sees of a run while it goes on. Each fact costs a few counters: drawing happens on a
 * clock of its own. On `resume`, the facts that the store holds are given again before the new ones.
 */
export interface RunView {
  begin(run: RunStart): void;
  fact(fact: Fact): void;
  /** One line worth reading that is no fact: "reading 12,000 files of xrays". */
  note(text: string): void;
  /** What the scheduler says of the run's jobs has changed. */
  queue(state: QueueState): void;
  end(summary: RunSummary): void;
}

/** Shows what happens in a view. */
export function showIn(view: RunView): (event: RunEvent) => void {
  return (event) => {
    switch (event.type) {
      case "note":
        return view.note(event.text);
      case "run.started":
        return view.begin(event);
      case "queue":
        return view.queue(event.state);
      case "run.finished":
        return view.end(event);
      default:
        return view.fact(event);
    }
  };
}
