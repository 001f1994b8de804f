/**
 * The promises of the backend port as tests. A backend shows that it keeps them:
 *
 * @example
 * backendContract("local", makeLocalHarness, {
 *   skip: { "what fits side by side runs side by side": "the test server has one cpu" },
 * });
 */
export { backendContract, type ContractOptions } from "./backend-contract.ts";
export { beatingPids, daemonThatBeats, isBeating } from "./daemon.ts";
export type { BackendHarness } from "./harness.ts";
export { ContractSession } from "./session.ts";
export {
  hasLeft,
  jobOf,
  ledger,
  letGo,
  outputText,
  putObject,
  recordOnStorage,
  shellJob,
  shellTask,
  sign,
  waitFor,
} from "./specs.ts";
