/**
 * The promises of the transport port as tests. A transport shows that it keeps them:
 *
 * @example
 * transportContract("ssh", makeSshHarness, {
 *   skip: { "a link is told apart, and followed when it is read": "the server has no links" },
 * });
 */
export type { TransportHarness } from "./harness.ts";
export { type ContractOptions, transportContract } from "./transport-contract.ts";
