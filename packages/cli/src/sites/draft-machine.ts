import { posix } from "node:path";
import { WfError } from "@wf/protocol";
import { formatBytes } from "../format/bytes.ts";
import { choosePython } from "./found-python.ts";
import { chooseStorage, hasRoom, type StorageFolder } from "./storage-folders.ts";
import { type MachineSurvey, PROFILE } from "./survey-site.ts";

export const MODULE_TAIL = [
  "shell: /bin/bash -l # `module` is there in login shells",
  "setup: [module load python] # lines that a job runs before its tasks",
];

export interface MachineToDraft {
  readonly host: string | undefined;
  readonly sshConfig: string | undefined;
  readonly survey: MachineSurvey;
  /** What people call it. */
  readonly scheduler: string;
  /** What people call those that jobs run on. */
  readonly machines: string;
  /** Whether jobs have to see the storage. */
  readonly isStorageShared: boolean;
}

export interface DraftedMachine {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly remarks: Readonly<Record<string, string>>;
}

/** What a site says of the machine behind it, whatever the scheduler. */
export function draftMachine(machine: MachineToDraft): DraftedMachine {
  const { host, sshConfig, survey, scheduler } = machine;
  const { folders, needsProfile, pythons } = survey;
  const storage = chooseStorage(folders);
  if (storage === undefined) {
    throw new WfError("WF_SITE_FILE", "no folder can be written there: not SCRATCH, not WORK, not the home", {
      hint: "ask those who run the cluster where your files may lie",
    });
  }
  const python = choosePython(pythons);
  const others = folders.filter((folder) => folder !== storage && folder.isWritable).map(({ path }) => path);
  return {
    settings: {
      ...(host === undefined ? {} : { host }),
      ...(sshConfig === undefined ? {} : { sshConfig }),
      ...(needsProfile ? { prelude: PROFILE } : {}),
      storage: posix.join(storage.path, "wf"),
      ...(python === undefined || python.name === "python3" ? {} : { python: python.name }),
    },
    remarks: {
      storage: [storageRemark(storage, machine), ...(others.length > 0 ? [`or in ${others.join(", ")}`] : [])].join(
        "; ",
      ),
      prelude: `${scheduler}'s commands are on the PATH of logins alone`,
      python: python === undefined ? "" : `${python.version}; python3 is missing or older than 3.6`,
    },
  };
}

function storageRemark(storage: StorageFolder, { isStorageShared, machines }: MachineToDraft): string {
  const free = storage.freeBytes === null ? "" : `, ${formatBytes(storage.freeBytes)} free`;
  const isInDoubt = isStorageShared && !storage.looksShared;
  const shared = isInDoubt ? `; do all ${machines} see it? \`wf doctor --job\` tries` : "";
  return `${storage.fileSystem ?? "unknown file system"}${free}${hasRoom(storage) ? "" : ", which is little"}${shared}`;
}
