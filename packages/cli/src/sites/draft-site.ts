import { posix } from "node:path";
import { WfError } from "@wf/core";
import type { NewSite } from "@wf/site";
import { formatBytes } from "../format/bytes.ts";
import type { DraftPartition } from "./draft-partitions.ts";
import { choosePython } from "./found-python.ts";
import { chooseStorage, hasRoom, type StorageFolder } from "./storage-folders.ts";
import { PROFILE, type SiteSurvey } from "./survey-site.ts";

/** As `SlurmSettings` has it. */
const USUAL_JOBS = 1000;

const MODULE_TAIL = [
  "shell: /bin/bash -l # `module` is there in login shells",
  "setup: [module load python] # lines that a job runs before its tasks",
];

export interface DraftRequest {
  readonly name: string;
  readonly host: string | undefined;
  readonly sshConfig?: string | undefined;
  readonly survey: SiteSurvey;
  readonly partitions: readonly DraftPartition[];
  /** Those that would take no job, and why, in SLURM's words. */
  readonly refused: ReadonlyMap<string, string>;
}

/** The first version of a site, from what was found. */
export function draftSite({ name, host, sshConfig, survey, partitions, refused }: DraftRequest): NewSite {
  const { slurm, folders, hasModules, needsProfile } = survey;
  const storage = chooseStorage(folders);
  if (storage === undefined) {
    throw new WfError("WF_SITE_FILE", "no folder can be written there: not SCRATCH, not WORK, not the home", {
      hint: "ask those who run the cluster where your files may lie",
    });
  }
  const python = choosePython(survey.pythons);
  const account = ownAccount(survey);
  const arraySize = slurm.config.maxArraySize - 1;
  const jobs = mostJobs(survey, account);
  const taken = partitions.filter(({ facts }) => !refused.has(facts.name));
  const settings = {
    backend: "slurm",
    ...(host === undefined ? {} : { host }),
    ...(sshConfig === undefined ? {} : { sshConfig }),
    ...(needsProfile ? { prelude: PROFILE } : {}),
    storage: posix.join(storage.path, "wf"),
    ...(python === undefined || python.name === "python3" ? {} : { python: python.name }),
    slurm: {
      ...(account === null ? {} : { account }),
      partitions: taken.map((partition) => partition.settings),
      limits: { jobs, arraySize },
    },
  };
  const others = folders.filter((folder) => folder !== storage && folder.isWritable).map(({ path }) => path);
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
      storage: [storageRemark(storage), ...(others.length > 0 ? [`or in ${others.join(", ")}`] : [])].join("; "),
      prelude: "SLURM's commands are on the PATH of logins alone",
      python: python === undefined ? "" : `${python.version}; python3 is missing or older than 3.6`,
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

function storageRemark(storage: StorageFolder): string {
  const free = storage.freeBytes === null ? "" : `, ${formatBytes(storage.freeBytes)} free`;
  const shared = storage.looksShared ? "" : "; do all nodes see it? `wf doctor --job` tries";
  return `${storage.fileSystem ?? "unknown file system"}${free}${hasRoom(storage) ? "" : ", which is little"}${shared}`;
}

export function ownAccount({ slurm }: Pick<SiteSurvey, "slurm">): string | null {
  return slurm.defaultAccount ?? slurm.associations[0]?.account ?? null;
}

/** Fewer than usual where the account or the cluster allows fewer. */
function mostJobs({ slurm }: SiteSurvey, account: string | null): number {
  const own = slurm.associations.filter((association) => association.account === account);
  return Math.min(USUAL_JOBS, slurm.config.maxJobCount, ...own.map(({ maxSubmit }) => maxSubmit));
}
