export interface SlurmConfig {
  /** `22.05.8`. */
  readonly version: string;
  readonly clusterName: string | null;
  /** No index of an array may be as large as this. */
  readonly maxArraySize: number;
  /** Jobs that the whole cluster remembers, those of arrays included. */
  readonly maxJobCount: number;
  /** For how long squeue remembers what has ended. */
  readonly minJobAgeSeconds: number;
  /** From SIGTERM to SIGKILL at a time limit. */
  readonly killWaitSeconds: number;
  readonly hasAccounting: boolean;
}

const STOCK = { maxArraySize: 1001, maxJobCount: 10_000, minJobAgeSeconds: 300, killWaitSeconds: 30 };

/** What `scontrol show config` prints: `Name = value`, where a value may have its unit behind it. */
export function parseConfig(text: string): SlurmConfig {
  const values = new Map(
    [...text.matchAll(/^(\w+)\s*= (.*)$/gm)].map(([, name, value]) => [name as string, (value as string).trim()]),
  );
  const number = (name: string, otherwise: number) => {
    const value = Number.parseInt(values.get(name) ?? "", 10);
    return Number.isNaN(value) ? otherwise : value;
  };
  return {
    version: values.get("SLURM_VERSION") ?? "",
    clusterName: values.get("ClusterName") ?? null,
    maxArraySize: number("MaxArraySize", STOCK.maxArraySize),
    maxJobCount: number("MaxJobCount", STOCK.maxJobCount),
    minJobAgeSeconds: number("MinJobAge", STOCK.minJobAgeSeconds),
    killWaitSeconds: number("KillWait", STOCK.killWaitSeconds),
    hasAccounting: /slurmdbd|mysql/.test(values.get("AccountingStorageType") ?? ""),
  };
}
