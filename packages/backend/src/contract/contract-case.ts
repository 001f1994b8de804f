import type { BackendEvent } from "../backend.ts";
import type { BackendHarness } from "./harness.ts";
import type { ContractSession } from "./session.ts";

/** One promise of the port, shown on a real backend. */
export interface ContractCase {
  readonly name: string;
  readonly run: (stage: ContractStage) => Promise<void>;
}

export interface ContractStage {
  readonly harness: BackendHarness;
  readonly open: (onEvent?: (event: BackendEvent) => void) => Promise<ContractSession>;
}
