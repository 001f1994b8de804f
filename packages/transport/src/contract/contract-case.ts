import type { Transport } from "../transport.ts";

/** One promise of the port, shown on a real transport. */
export interface ContractCase {
  readonly name: string;
  readonly run: (stage: ContractStage) => Promise<void>;
}

export interface ContractStage {
  readonly transport: Transport;
  /** A folder at the place for this case alone. Its name is awkward, as users' names are. */
  readonly root: string;
  /** A folder of this machine for this case alone. */
  readonly local: string;
  /** Is aborted when the case has ended. */
  readonly signal: AbortSignal;
}
