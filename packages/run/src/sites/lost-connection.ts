import type { ConnectionEvent } from "@wf/transport";

/** Since when the connection to a site is lost, and why. */
export class LostConnection {
  #since: { readonly at: number; readonly why: string } | null = null;

  /** `at` in Unix seconds; null while there is a connection, or none was needed yet. */
  get since(): { readonly at: number; readonly why: string } | null {
    return this.#since;
  }

  hear(event: ConnectionEvent): void {
    if (event.type === "connected") this.#since = null;
    else this.#since = { at: this.#since?.at ?? Date.now() / 1000, why: event.reason };
  }
}
