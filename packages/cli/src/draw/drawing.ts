/** A workflow as a picture, before anything is measured or placed. Fan-outs are folded: one shape a stage. */
export interface Drawing {
  readonly title: string;
  readonly shapes: readonly Shape[];
  /** Outer ones before those inside them. */
  readonly groups: readonly Group[];
  readonly arrows: readonly Arrow[];
}

export interface Shape {
  /** Unique among shapes and groups. */
  readonly id: string;
  readonly kind: "task" | "input" | "output";
  readonly label: string;
  /** A second line in small letters: a type, a runtime, resources. */
  readonly detail: string;
  /** How many there are, when it is a stack: `× 12`, `× n`. */
  readonly count: string | undefined;
  readonly fits: boolean;
  /** What a pointer shows. */
  readonly note: string;
  readonly group: string | undefined;
}

/**
 * `each`: its content exists once an element. `repeat`: it runs again and again. `when`: it may not run at all.
 * `part`: a workflow that is used in this one.
 */
export interface Group {
  readonly id: string;
  readonly kind: "each" | "repeat" | "when" | "part";
  readonly label: string;
  readonly count: string | undefined;
  readonly group: string | undefined;
}

/** `data` flows; `control` decides whether or when; `order` only says what comes first. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly kind: "data" | "control" | "order";
  readonly label: string;
}
