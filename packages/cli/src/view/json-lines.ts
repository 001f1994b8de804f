import type { Fact } from "@wf/engine";
import type { Value } from "@wf/protocol";
import type { QueueState, RunStart, RunSummary } from "@wf/run";
import { jsonLine, type Screen } from "../screen.ts";
import type { RunView } from "./run-view.ts";

const FLUSH_MS = 50;
const FLUSH_CHARACTERS = 64 * 1024;

/**
 * `--json`: one event a line, `{"type":"task.ended","time":1712345678.901,…}` with the members of the fact; times are
 * Unix seconds. The first line is `run.started`, the last `run.finished`. To keep lines short, a record comes without
 * its series, and a list says how many items it has instead of naming them; the store has both.
 */
export class JsonLines implements RunView {
  readonly #screen: Screen;
  #pending: string[] = [];
  #pendingCharacters = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  begin({ id, workflow, site, stages }: RunStart): void {
    const counts = stages.map(({ stage, count }) => ({ stage, count }));
    this.#event({ type: "run.started", time: now(), run: id, workflow, site, stages: counts });
    this.#flush();
  }

  fact(fact: Fact): void {
    const { type, ...members } = shortened(fact);
    this.#event({ type, time: now(), ...members });
  }

  note(text: string): void {
    this.#event({ type: "note", time: now(), text });
  }

  queue(state: QueueState): void {
    this.#event({ type: "queue", time: now(), ...state });
  }

  end({ run, status, outputs, metrics, models, seconds }: RunSummary): void {
    const registered = models.length === 0 ? {} : { models };
    this.#event({ type: "run.finished", run, status, outputs, metrics, ...registered, seconds });
    this.#flush();
  }

  #event(event: object): void {
    const line = jsonLine(event);
    this.#pending.push(line);
    this.#pendingCharacters += line.length;
    if (this.#pendingCharacters >= FLUSH_CHARACTERS) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending.length === 0) return;
    this.#screen.write(this.#pending.join(""));
    this.#pending = [];
    this.#pendingCharacters = 0;
  }
}

function shortened(fact: Fact): { readonly type: string } {
  if (fact.type === "task.ready") {
    return { ...fact, inputs: fact.inputs.map(({ origins: _, ...input }) => input) } as { type: string };
  }
  if (fact.type === "attempt.finished") {
    const { series: _, ...record } = fact.record;
    return { ...fact, record: { ...record, outputs: withoutItems(record.outputs) } } as { type: string };
  }
  if (fact.type === "task.ended" && fact.outputs !== undefined) {
    return { ...fact, outputs: withoutItems(fact.outputs) } as { type: string };
  }
  return fact;
}

/** The inputs of `task.ready` are lists of this form already. */
function withoutItems(values: Readonly<Record<string, Value>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.kind === "list" ? { kind: "list", count: value.items.length } : value,
    ]),
  );
}

function now(): number {
  return Date.now() / 1000;
}
