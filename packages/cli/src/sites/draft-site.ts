import type { NewSite } from "@wf/site";
import { draftMachine, MODULE_TAIL } from "./draft-machine.ts";
import type { DraftPartition } from "./draft-partitions.ts";
import type { ClusterSurvey } from "./survey-site.ts";

/** As `SlurmSettings` has it. */
const USUAL_JOBS = 1000;

export interface DraftRequest {
  readonly name: string;
  readonly host: string | undefined;
  readonly sshConfig?: string | undefined;
  readonly survey: ClusterSurvey;
  readonly partitions: readonly DraftPartition[];
  /** Those that would take no job, and why, in SLURM's words. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The first version of a site, from what was found. */
export function draftSite({ name, host, sshConfig, survey, partitions, refused }: DraftRequest): NewSite {
  const { slurm, hasModules } = survey;
  const machine = draftMachine({
    host,
    sshConfig,
    survey,
    scheduler: "SLURM",
    machines: "nodes",
    isStorageShared: true,
  });
  const account = ownAccount(survey);
  const arraySize = slurm.config.maxArraySize - 1;
  const jobs = mostJobs(survey, account);
  const taken = partitions.filter(({ facts }) => !refused.has(facts.name));
  const settings = {
    backend: "slurm",
    ...machine.settings,
    slurm: {
      ...(account === null ? {} : { account }),
      partitions: taken.map((partition) => partition.settings),
      limits: { jobs, arraySize },
    },
  };
  const accounts = [...new Set(slurm.associations.map((association) => association.account))];
  const otherAccounts = accounts.filter((other) => other !== account);
  const own = slurm.associations.filter((association) => association.account === account);
  const qos = [...new Set(own.flatMap((association) => [association.defaultQos ?? "normal", ...association.qos]))];
  return {
    name,
    settings,
    head: [
      `${slurm.config.clusterName ?? "a cluster"}: SLURM ${slurm.config.version}, ${slurm.nodes.length} nodes. Written by \`wf sites add\`; change what does not suit you.`,
    ],
    remarks: {
      ...machine.remarks,
      ...(otherAccounts.length > 0 ? { "slurm.account": `or ${otherAccounts.join(", ")}` } : {}),
      "slurm.partitions": "a job goes to the first that it fits into",
      "slurm.limits.arraySize": "MaxArraySize less one",
    },
    tails: {
      slurm: [
        ...(qos.length > 1 ? [`qos: ${qos[0]} # or ${qos.slice(1).join(", ")}`] : []),
        ...(hasModules ? MODULE_TAIL : []),
        ...[...refused].map(([partition, words]) => `left out: the partition ${partition} (${words})`),
      ],
    },
  };
}

export function ownAccount({ slurm }: Pick<ClusterSurvey, "slurm">): string | null {
  return slurm.defaultAccount ?? slurm.associations[0]?.account ?? null;
}

/** Fewer than usual where the account or the cluster allows fewer. */
function mostJobs({ slurm }: ClusterSurvey, account: string | null): number {
  const own = slurm.associations.filter((association) => association.account === account);
  return Math.min(USUAL_JOBS, slurm.config.maxJobCount, ...own.map(({ maxSubmit }) => maxSubmit));
}
