/**
 * What `wf` understands, as data: the reference in `docs/cli.md` is made of it.
 *
 * ```ts
 * COMMANDS.find(({ name }) => name === "run")?.example; // "wf run workflow.ts …"
 * ```
 */
export { type ArgumentSpec, type CommandSpec, GROUPS, type OptionSpec } from "./command-spec.ts";
export { COMMANDS, GLOBAL_OPTIONS } from "./command-tree.ts";
export { EXIT_CODES, showArgument } from "./program.ts";
