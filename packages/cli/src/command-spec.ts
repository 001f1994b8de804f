/** How the shell finds what may stand in a place: fixed words, or something that it, or `wf complete`, looks up. */
export type Completion = readonly string[] | "file" | "folder" | "run" | "task" | "site" | "model";

export interface ArgumentSpec {
  /** As it stands in the usage line: `RUN`. */
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: boolean;
  readonly completes?: Completion;
}

export interface OptionSpec {
  /** As the commander reads them: `-p, --param <NAME=VALUE>`. */
  readonly flags: string;
  readonly summary: string;
  /** `words`: it may be given several times. `count` and `number`: a whole number from 0, or from 1. */
  readonly kind?: "words" | "count" | "number";
  readonly choices?: readonly string[];
  readonly conflictsWith?: string;
  readonly completes?: Completion;
}

export const GROUPS = ["Write a workflow", "Run it", "Look at runs", "House-keeping"] as const;

/** Gets the arguments in order (undefined where one is left out), then the options; gives the exit code. */
export type Action = (...given: never[]) => Promise<number>;

export interface CommandSpec {
  readonly name: string;
  readonly group: (typeof GROUPS)[number];
  readonly summary: string;
  readonly details?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** One line that can be typed. */
  readonly example: string;
  readonly isHidden?: boolean;
  /** Imports the command's module, and so everything that only this command needs. */
  readonly load: () => Promise<Action>;
}

/** All that the command line can say. */
export interface CommandTree {
  readonly commands: readonly CommandSpec[];
  /** Those of every command. */
  readonly options: readonly OptionSpec[];
}
