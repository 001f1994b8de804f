/**
 * Runs jobs on a SLURM cluster: what is asked of its commands, and what their answers mean.
 *
 * ```ts
 * parseSbatch({ code: 0, stdout: "84;lab\n", stderr: "" }); // { type: "accepted", id: "84" }
 * ```
 */
export { parseConfig, type SlurmConfig } from "./parsing/parse-config.ts";
export { type NodeFacts, parseNodes } from "./parsing/parse-nodes.ts";
export { type PartitionFacts, parsePartitions } from "./parsing/parse-partitions.ts";
export { type PartitionStatus, parseSinfo, SINFO_FORMAT } from "./parsing/parse-sinfo.ts";
