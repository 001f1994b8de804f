import type { ArtifactSource } from "./artifact-source.ts";
import type { Arrow } from "./drawing.ts";
import { showArtifact } from "./show-artifact.ts";

export function inputId(name: string): string {
  return `input ${name}`;
}

/** Arrows between two shapes are one, with all that flows. What another way says already is left out. */
export class ArrowSet {
  readonly #labels = new Map<string, Map<string, Set<string>>>();
  readonly #kinds = new Map<string, Arrow["kind"]>();

  /** What is called `known` needs no label: the shape says it. */
  addData(sources: readonly ArtifactSource[], to: string, known?: string): void {
    for (const source of sources) this.#add(source, to, "data", known);
  }

  /** Only the first stages of a body hang on what decides about it; the others come after them. */
  addControl(sources: readonly ArtifactSource[], to: string): void {
    for (const source of sources) if (!this.#reaches(idOf(source), to)) this.#add(source, to, "control");
  }

  addOrder(from: string, to: string): void {
    if (this.#reaches(from, to)) return;
    this.#into(from, to);
    this.#kinds.set(key(from, to), "order");
  }

  list(): Arrow[] {
    return [...this.#labels].flatMap(([from, targets]) =>
      [...targets].map(([to, labels]) => ({
        from,
        to,
        kind: this.#kinds.get(key(from, to)) as Arrow["kind"],
        label: shortList([...labels]),
      })),
    );
  }

  #add(source: ArtifactSource, to: string, kind: Arrow["kind"], known?: string): void {
    const from = idOf(source);
    if (from === to) return;
    const labels = this.#into(from, to);
    if ("stage" in source.from && source.name !== known) labels.add(showArtifact(source.name, source.type));
    if (this.#kinds.get(key(from, to)) !== "data") this.#kinds.set(key(from, to), kind);
  }

  #into(from: string, to: string): Set<string> {
    const targets = this.#labels.get(from) ?? new Map<string, Set<string>>();
    this.#labels.set(from, targets);
    const labels = targets.get(to) ?? new Set<string>();
    targets.set(to, labels);
    return labels;
  }

  #reaches(from: string, to: string, seen = new Set<string>()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(this.#labels.get(from)?.keys() ?? [])].some((next) => this.#reaches(next, to, seen));
  }
}

function idOf({ from }: ArtifactSource): string {
  return "input" in from ? inputId(from.input) : from.stage;
}

function key(from: string, to: string): string {
  return `${from}\0${to}`;
}

const MOST_LABELS = 3;

function shortList(words: readonly string[]): string {
  const shown = words.slice(0, MOST_LABELS).join(", ");
  return words.length > MOST_LABELS ? `${shown} +${words.length - MOST_LABELS}` : shown;
}
