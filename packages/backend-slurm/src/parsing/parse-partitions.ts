import { scontrolFields } from "./parse-scontrol.ts";
import { parseSlurmSeconds } from "./slurm-time.ts";

export interface PartitionFacts {
  readonly name: string;
  readonly isDefault: boolean;
  readonly isUp: boolean;
  /** Infinity where there is no limit. */
  readonly maxTimeSeconds: number;
  readonly defaultTimeSeconds: number | null;
  readonly maxNodes: number;
  readonly maxCpusPerNode: number;
  readonly maxMemoryPerNodeBytes: number;
  readonly totalNodes: number;
  readonly totalCpus: number;
  /** As SLURM writes it: `c[1-2],g1`. */
  readonly nodes: string;
  /** Null where every account may use it. */
  readonly accounts: readonly string[] | null;
}

const MEBIBYTE = 2 ** 20;

/** What `scontrol show partition -o` lists. */
export function parsePartitions(text: string): readonly PartitionFacts[] {
  return text
    .split("\n")
    .map(scontrolFields)
    .filter((fields) => fields.has("PartitionName"))
    .map((fields) => {
      const field = (name: string) => fields.get(name) ?? "";
      const accounts = field("AllowAccounts");
      return {
        name: field("PartitionName"),
        isDefault: field("Default") === "YES",
        isUp: field("State") === "UP",
        maxTimeSeconds: parseSlurmSeconds(field("MaxTime")) ?? Number.POSITIVE_INFINITY,
        defaultTimeSeconds: parseSlurmSeconds(field("DefaultTime")),
        maxNodes: limit(field("MaxNodes")),
        maxCpusPerNode: limit(field("MaxCPUsPerNode")),
        maxMemoryPerNodeBytes: limit(field("MaxMemPerNode")) * MEBIBYTE,
        totalNodes: Number(field("TotalNodes")),
        totalCpus: Number(field("TotalCPUs")),
        nodes: field("Nodes"),
        accounts: accounts === "ALL" || accounts === "" ? null : accounts.split(","),
      };
    });
}

function limit(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}
