/**
 * Runs jobs on a SLURM cluster, from its login node or over ssh.
 *
 * ```ts
 * const backend = slurmBackend({ run: "r1", storage: "/scratch/me/wf", settings, transport: localTransport() });
 * await backend.open((event) => console.log(event.type), signal);
 * ```
 */
export { parseConfig, type SlurmConfig } from "./parsing/parse-config.ts";
export { type NodeFacts, parseNodes } from "./parsing/parse-nodes.ts";
export { type PartitionFacts, parsePartitions } from "./parsing/parse-partitions.ts";
export { type PartitionStatus, parseSinfo, SINFO_FORMAT } from "./parsing/parse-sinfo.ts";
export { type SlurmBackend, type SlurmBackendOptions, slurmBackend } from "./slurm-backend.ts";
