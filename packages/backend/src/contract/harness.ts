import type { Backend, Capacity } from "../backend.ts";

/** A fresh place to run, made for one case of the contract. */
export interface BackendHarness {
  readonly run: string;
  /** The site's storage as the tests see it: records and objects are read here. */
  readonly storage: string;
  /** A folder that tests and tasks both see, for what a task must tell while it runs. */
  readonly scratch: string;
  /** What the backend was given: two cpus at least, so that something can run side by side. */
  readonly capacity: Capacity;
  /** A backend of this run on this storage. Every further call is the backend of a resumed engine. */
  create(): Backend;
  /** Ends a backend as it ends with an engine that is killed: without a word to anybody. */
  crash(backend: Backend): Promise<void>;
  /** What an attempt that has ended left, with or without an engine. Default: its record is on the storage. */
  hasLeft?(attempt: string): boolean;
  dispose(): Promise<void>;
}
