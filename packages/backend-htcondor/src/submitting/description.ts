import { posix } from "node:path";
import type { HtcondorSettings, Placement } from "@wf/site";
import { INFORMATION_ATTRIBUTES } from "../parsing/parse-events.ts";
import type { PoolRequest } from "./pool-request.ts";

const MEBIBYTE = 2 ** 20;
const KIBIBYTE = 2 ** 10;
/** Beyond the grace of the tasks: for outputs to be collected, and records to be written. */
const LEAVING_SECONDS = 10;
/** A machine that has just worked for the run begins the next job without being given out anew. */
const KEEP_CLAIM_SECONDS = 3;

const IS_UNTRIED = "NumJobStarts == 0";
/** It has begun, so it will not begin again, and nobody has removed it: wf was away, or it was held while it ran. */
const IS_LEFT_OVER = "NumJobStarts > 0 && (JobStatus == 1 || JobStatus == 5) && time() - EnteredCurrentStatus > 86400";
/** A small job would take the place of a large one before it as it is, and keep what it does not need. */
const WASTES_NOTHING =
  'TARGET.SlotType =!= "Dynamic" || (TARGET.Cpus == RequestCpus && (TARGET.GPUs ?: 0) == (RequestGPUs ?: 0))';

export interface JobsToDescribe {
  readonly name: string;
  readonly token: string;
  readonly run: string;
  readonly request: PoolRequest;
  readonly settings: HtcondorSettings;
  readonly placement: Placement;
  readonly hasSecrets: boolean;
}

export interface DescriptionPlace {
  /** The folder of the submission: relative names mean its files. */
  readonly folder: string;
  /** The event log of the run. */
  readonly log: string;
  /** The launcher's folder, on the site. */
  readonly launcher: string;
}

/** What the launcher leaves on a machine that does not see the storage. */
export const RETURNED = "wf-returned";

/**
 * What condor_submit is given: one cluster of equal jobs, one for each line of queue.txt.
 * Law: a job is executed once. HTCondor would start one again that had to leave its machine; the engine decides that.
 */
export function description(jobs: JobsToDescribe, place: DescriptionPlace): string {
  const { folder, log } = place;
  const { name, token, run, request, settings, placement, hasSecrets } = jobs;
  const isShared = placement === "shared";
  const requirements = [
    IS_UNTRIED,
    WASTES_NOTHING,
    ...(settings.requirements === undefined ? [] : [settings.requirements]),
  ];
  return `${[
    `# Made by wf for the run ${run.replace(/\s+/g, " ")}. Job N runs jobs/N.json, and table.json says which tasks that are.`,
    "universe = vanilla",
    `initialdir = ${folder}`,
    "executable = script",
    "arguments = $(wf_index)",
    `batch_name = ${name}`,
    `My.WfToken = "${token}"`,
    `log = ${log}`,
    "log_xml = True",
    `job_ad_information_attrs = ${INFORMATION_ATTRIBUTES.join(", ")}`,
    ...(isShared ? sharedFiles() : sentFiles(place)),
    `request_cpus = ${request.cpus}`,
    ...(request.memoryBytes === 0 ? [] : [`request_memory = ${Math.ceil(request.memoryBytes / MEBIBYTE)}M`]),
    ...(request.gpus === 0 ? [] : [`request_gpus = ${request.gpus}`]),
    ...(request.diskBytes === 0 ? [] : [`request_disk = ${Math.ceil(request.diskBytes / KIBIBYTE)}K`]),
    `requirements = ${requirements.map((expression) => `(${expression})`).join(" && ")}`,
    ...(settings.rank === undefined ? [] : [`rank = ${settings.rank}`]),
    ...(settings.accountingGroup === undefined ? [] : [`accounting_group = ${settings.accountingGroup}`]),
    ...(settings.accountingGroupUser === undefined ? [] : [`accounting_group_user = ${settings.accountingGroupUser}`]),
    ...(hasSecrets ? ["getenv = WF_SECRETS_PAD"] : []),
    // For evictions, holds and removals alike: a signal of its own for removals would be sent for all of them.
    "kill_sig = SIGTERM",
    `job_max_vacate_time = ${Math.ceil(request.graceSeconds) + LEAVING_SECONDS}`,
    `keep_claim_idle = ${KEEP_CLAIM_SECONDS}`,
    "notification = never",
    `periodic_remove = ${IS_LEFT_OVER}`,
    ...settings.description,
    isShared ? "queue wf_index from queue.txt" : "queue wf_index, wf_inputs from queue.txt",
  ].join("\n")}\n`;
}

function sharedFiles(): readonly string[] {
  return [
    "transfer_executable = False",
    "should_transfer_files = NO",
    "output = output/$(wf_index).txt",
    "error = output/$(wf_index).txt",
  ];
}

/** What was sent lies in the folder that HTCondor gives to the job, and one folder returns. */
function sentFiles({ folder, launcher }: DescriptionPlace): readonly string[] {
  return [
    "transfer_executable = True",
    "should_transfer_files = YES",
    "when_to_transfer_output = ON_EXIT",
    // HTCondor separates names by commas, and a storage may lie in a folder that has one in its name.
    `transfer_input_files = ${posix.relative(folder, launcher)}, $(wf_inputs)`,
    `transfer_output_files = ${RETURNED}`,
    `transfer_output_remaps = "${RETURNED} = returned/$(wf_index)"`,
    "output = output/$(wf_index).txt",
    "error = output/$(wf_index).txt",
  ];
}
