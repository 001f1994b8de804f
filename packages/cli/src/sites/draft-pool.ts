import { poolCapacity } from "@wf/backend-htcondor";
import type { NewSite } from "@wf/site";
import { counted } from "../format/count.ts";
import { memoryText } from "./amount-text.ts";
import { draftMachine, MODULE_TAIL } from "./draft-machine.ts";
import type { PoolSurvey } from "./survey-site.ts";

/** As `HtcondorSettings` has it. */
const USUAL_JOBS = 1000;

export interface PoolDraftRequest {
  readonly name: string;
  readonly host: string | undefined;
  readonly sshConfig?: string | undefined;
  readonly survey: PoolSurvey;
}

/** The first version of an HTCondor site, from what was found. */
export function draftPool({ name, host, sshConfig, survey }: PoolDraftRequest): NewSite {
  const { htcondor, hasModules } = survey;
  const { machines, sharingMachines, cpus, memoryBytes, gpus } = poolCapacity(htcondor);
  const isShared = machines > 0 && sharingMachines === machines;
  const machine = draftMachine({
    host,
    sshConfig,
    survey,
    scheduler: "HTCondor",
    machines: "machines",
    isStorageShared: isShared,
  });
  return {
    name,
    settings: {
      backend: "htcondor",
      ...machine.settings,
      placement: isShared ? "shared" : "transfer",
      htcondor: {
        ...(machines > 0 ? { largest: { cpus, memory: memoryText(memoryBytes), gpus } } : {}),
        limits: {
          jobs: Math.min(USUAL_JOBS, htcondor.maxJobs),
          perSubmission: Math.min(USUAL_JOBS, htcondor.maxJobsPerSubmission),
        },
      },
    },
    head: [
      `HTCondor ${htcondor.version}, ${counted(machines, "machine")}. Written by \`wf sites add\`; change what does not suit you.`,
    ],
    remarks: {
      ...machine.remarks,
      placement: isShared
        ? "its machines say that they share files with the submit host; else: transfer"
        : `${sharingMachines} of ${machines} machines share files with the submit host`,
      "htcondor.largest": "what one job may ask for",
    },
    tails: {
      htcondor: [
        "accountingGroup: group_name.user # where the pool asks for one",
        "requirements: OpSysMajorVer >= 9 # which machines may be used",
        ...(hasModules ? MODULE_TAIL : []),
      ],
    },
  };
}
