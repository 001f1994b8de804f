import type { Answer } from "@wf/transport";
import { ASSOCIATION_FORMAT, type Association, parseAssociations } from "../parsing/parse-associations.ts";
import { parseConfig, type SlurmConfig } from "../parsing/parse-config.ts";
import { type NodeFacts, parseNodes } from "../parsing/parse-nodes.ts";
import { type PartitionFacts, parsePartitions } from "../parsing/parse-partitions.ts";

/** What a cluster says about itself, and about what its user may do there. */
export interface SlurmSurvey {
  readonly config: SlurmConfig;
  readonly partitions: readonly PartitionFacts[];
  readonly nodes: readonly NodeFacts[];
  /** Empty where there is no accounting, or where it is away. */
  readonly associations: readonly Association[];
  readonly defaultAccount: string | null;
}

/** Lines of sh before the questions: a controller that is away is waited for once, and not by each of them. */
export const SLURM_PROLOGUE = `if command -v scontrol >/dev/null; then
  wf_said=$(scontrol show config 2>&1 </dev/null) || {
    scontrol() { printf '%s\\n' "$wf_said"; return 1; }
    sacctmgr() { scontrol; }
    squeue() { scontrol; }
    sacct() { scontrol; }
  }
fi`;

/** In sh, to be asked on the login node. */
export const SLURM_QUESTIONS = {
  config: "scontrol show config",
  partitions: "scontrol show partition -o",
  nodes: "scontrol show node -o",
  associations: `sacctmgr -nP show assoc user="$(id -un)" format=${ASSOCIATION_FORMAT}`,
  defaultAccount: 'sacctmgr -nP show user "$(id -un)" format=defaultaccount',
} as const;

export type SlurmAnswers = Readonly<Record<keyof typeof SLURM_QUESTIONS, Answer>>;

/** What was found; where SLURM does not answer, its words. */
export function readSlurmSurvey(answers: SlurmAnswers): SlurmSurvey | { readonly silence: string } {
  const { config, partitions, nodes, associations, defaultAccount } = answers;
  const silent = [config, partitions, nodes].find(({ code }) => code !== 0);
  if (silent) return { silence: silent.text.trim().split("\n")[0] || "it says nothing" };
  const found = parseConfig(config.text);
  const own = associations.code === 0 ? parseAssociations(associations.text) : [];
  const account = defaultAccount.code === 0 ? defaultAccount.text.trim() : "";
  return {
    config: found,
    partitions: parsePartitions(partitions.text),
    nodes: parseNodes(nodes.text),
    associations: own.filter(({ cluster }) => found.clusterName === null || cluster === found.clusterName),
    defaultAccount: /^\S+$/.test(account) ? account : null,
  };
}
