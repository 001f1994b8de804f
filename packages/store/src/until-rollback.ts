import type { Connection } from "./connection.ts";

/** What was learned from rows, kept until something is undone: the rows may then be gone, and it is learned anew. */
export class UntilRollback<T> {
  readonly #connection: Connection;
  readonly #learn: () => T;
  #known: { readonly value: T; readonly rollbacks: number } | undefined;

  constructor(connection: Connection, learn: () => T) {
    this.#connection = connection;
    this.#learn = learn;
  }

  get value(): T {
    const { rollbacks } = this.#connection;
    if (this.#known?.rollbacks !== rollbacks) this.#known = { value: this.#learn(), rollbacks };
    return this.#known.value;
  }
}
