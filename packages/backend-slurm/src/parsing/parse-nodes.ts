import { scontrolFields } from "./parse-scontrol.ts";

export interface NodeFacts {
  readonly name: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** How many GPUs of each type; the type is empty where the site has not named it. */
  readonly gpus: ReadonlyMap<string, number>;
  readonly features: readonly string[];
  readonly partitions: readonly string[];
  /** In SLURM's own words: `IDLE`, `DOWN*+DRAIN`. */
  readonly state: string;
  readonly isUsable: boolean;
  /** Why it is not, in the words of who took it out. */
  readonly reason: string;
}

const MEBIBYTE = 2 ** 20;

/** What `scontrol show node -o` lists. */
export function parseNodes(text: string): readonly NodeFacts[] {
  return text
    .split("\n")
    .map(scontrolFields)
    .filter((fields) => fields.has("NodeName"))
    .map((fields) => {
      const field = (name: string) => fields.get(name) ?? "";
      const state = field("State");
      return {
        name: field("NodeName"),
        cpus: Number(fields.get("CPUEfctv") ?? field("CPUTot")),
        memoryBytes: Number(field("RealMemory")) * MEBIBYTE,
        gpus: parseGpus(field("Gres")),
        features: listed(field("ActiveFeatures")),
        partitions: listed(field("Partitions")),
        state,
        isUsable: !/DOWN|DRAIN|FAIL|MAINT|NOT_RESPONDING|\*/.test(state),
        reason: field("Reason"),
      };
    });
}

/** `gpu:a100:2`, `gpu:2(S:0-1)`, `gpu:a100:2,gpu:v100:1,shard:8`. */
function parseGpus(gres: string): ReadonlyMap<string, number> {
  const gpus = new Map<string, number>();
  for (const item of gres.replace(/\([^)]*\)/g, "").split(",")) {
    const match = /^gpu(?::([^:]+))?:(\d+)$/.exec(item);
    if (match === null) continue;
    const type = match[1] ?? "";
    gpus.set(type, (gpus.get(type) ?? 0) + Number(match[2]));
  }
  return gpus;
}

function listed(text: string): readonly string[] {
  return text === "" || text === "(null)" ? [] : text.split(",");
}
