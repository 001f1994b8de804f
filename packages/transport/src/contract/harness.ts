import type { Transport } from "../transport.ts";

/** A place to test, which lasts for the whole suite. */
export interface TransportHarness {
  readonly transport: Transport;
  /** An empty folder at the place. */
  readonly root: string;
  /** An empty folder of this machine. */
  readonly local: string;
  dispose(): Promise<void>;
}
