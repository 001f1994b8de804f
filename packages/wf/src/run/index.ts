/**
 * Workflows from a program.
 *
 * ```ts
 * import { openStore, run } from "wf/run";
 * ```
 */
export * from "@wf/run/library";
