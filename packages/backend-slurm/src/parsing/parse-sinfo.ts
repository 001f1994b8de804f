import { parseSlurmSeconds } from "./slurm-time.ts";

export const SINFO_FORMAT = "%P|%a|%l|%D|%T|%N|%C|%G";

/** Nodes of one partition that are in one state. */
export interface PartitionStatus {
  readonly partition: string;
  readonly isDefault: boolean;
  readonly isUp: boolean;
  readonly maxTimeSeconds: number;
  readonly nodes: number;
  /** `idle`, `mixed`, `allocated`, `drained`, `down*`. */
  readonly state: string;
  readonly cpus: { readonly allocated: number; readonly idle: number; readonly other: number; readonly total: number };
}

/** What `sinfo -h -o SINFO_FORMAT` lists: how busy a cluster is. A line that cannot be read is passed over. */
export function parseSinfo(text: string): readonly PartitionStatus[] {
  const rows: PartitionStatus[] = [];
  for (const line of text.split("\n")) {
    const [name, avail, time, nodes, state, , cpus = ""] = line.split("|");
    const [allocated, idle, other, total] = cpus.split("/").map(Number);
    if (name === undefined || state === undefined || total === undefined) continue;
    rows.push({
      partition: name.replace(/\*$/, ""),
      isDefault: name.endsWith("*"),
      isUp: avail === "up",
      maxTimeSeconds: parseSlurmSeconds(time ?? "") ?? Number.POSITIVE_INFINITY,
      nodes: Number(nodes),
      state,
      cpus: { allocated: allocated ?? 0, idle: idle ?? 0, other: other ?? 0, total },
    });
  }
  return rows;
}
