import { HtcondorSettings, type Placement } from "@wf/site";
import { expect, test } from "vitest";
import type { z } from "zod";
import { description } from "./description.ts";
import type { PoolRequest } from "./pool-request.ts";

const SMALL: PoolRequest = { cpus: 1, memoryBytes: 0, gpus: 0, diskBytes: 0, graceSeconds: 5 };
const place = {
  folder: "/home/ada/wf, mine/runs/r1/submissions/0123456789abcdef",
  log: "/home/ada/wf, mine/runs/r1/condor.log",
  launcher: "/home/ada/wf, mine/tools/wf-launcher-aa",
};

function described(
  placement: Placement,
  request: Partial<PoolRequest> = {},
  settings: z.input<typeof HtcondorSettings> = {},
  hasSecrets = false,
): string {
  const jobs = { name: "wf-r1-0123456789abcdef", token: "0123456789abcdef", run: "r1", placement, hasSecrets };
  return description({ ...jobs, request: { ...SMALL, ...request }, settings: HtcondorSettings.parse(settings) }, place);
}

test("the plainest jobs, on machines that see the storage", () => {
  expect(described("shared")).toMatchInlineSnapshot(`
    "# Made by wf for the run r1. Job N runs jobs/N.json, and table.json says which tasks that are.
    universe = vanilla
    initialdir = /home/ada/wf, mine/runs/r1/submissions/0123456789abcdef
    executable = script
    arguments = $(wf_index)
    batch_name = wf-r1-0123456789abcdef
    My.WfToken = "0123456789abcdef"
    log = /home/ada/wf, mine/runs/r1/condor.log
    log_xml = True
    job_ad_information_attrs = WfToken, QDate, EnteredCurrentStatus, JobCurrentStartDate, NumJobStarts, NumShadowStarts, RemoteHost, LastRemoteHost, BytesSent, BytesRecvd, RemoteUserCpu, RemoteSysCpu, ResidentSetSize_RAW
    transfer_executable = False
    should_transfer_files = NO
    output = output/$(wf_index).txt
    error = output/$(wf_index).txt
    request_cpus = 1
    requirements = (NumJobStarts == 0) && (TARGET.SlotType =!= "Dynamic" || (TARGET.Cpus == RequestCpus && (TARGET.GPUs ?: 0) == (RequestGPUs ?: 0)))
    kill_sig = SIGTERM
    job_max_vacate_time = 15
    keep_claim_idle = 3
    notification = never
    periodic_remove = NumJobStarts > 0 && (JobStatus == 1 || JobStatus == 5) && time() - EnteredCurrentStatus > 86400
    queue wf_index from queue.txt
    "
  `);
});

test("jobs on machines that see nothing, with everything that a site can say", () => {
  const settings = {
    requirements: "HasAVX2",
    rank: "Memory",
    accountingGroup: "group_lungs.ada",
    accountingGroupUser: "ada",
    description: ["+WantFlocking = True"],
  };
  const request = { cpus: 4, memoryBytes: 3.5 * 2 ** 20, gpus: 2, diskBytes: 1500, graceSeconds: 30 };
  expect(described("transfer", request, settings, true)).toMatchInlineSnapshot(`
    "# Made by wf for the run r1. Job N runs jobs/N.json, and table.json says which tasks that are.
    universe = vanilla
    initialdir = /home/ada/wf, mine/runs/r1/submissions/0123456789abcdef
    executable = script
    arguments = $(wf_index)
    batch_name = wf-r1-0123456789abcdef
    My.WfToken = "0123456789abcdef"
    log = /home/ada/wf, mine/runs/r1/condor.log
    log_xml = True
    job_ad_information_attrs = WfToken, QDate, EnteredCurrentStatus, JobCurrentStartDate, NumJobStarts, NumShadowStarts, RemoteHost, LastRemoteHost, BytesSent, BytesRecvd, RemoteUserCpu, RemoteSysCpu, ResidentSetSize_RAW
    transfer_executable = True
    should_transfer_files = YES
    when_to_transfer_output = ON_EXIT
    transfer_input_files = ../../../../tools/wf-launcher-aa, $(wf_inputs)
    transfer_output_files = wf-returned
    transfer_output_remaps = "wf-returned = returned/$(wf_index)"
    output = output/$(wf_index).txt
    error = output/$(wf_index).txt
    request_cpus = 4
    request_memory = 4M
    request_gpus = 2
    request_disk = 2K
    requirements = (NumJobStarts == 0) && (TARGET.SlotType =!= "Dynamic" || (TARGET.Cpus == RequestCpus && (TARGET.GPUs ?: 0) == (RequestGPUs ?: 0))) && (HasAVX2)
    rank = Memory
    accounting_group = group_lungs.ada
    accounting_group_user = ada
    getenv = WF_SECRETS_PAD
    kill_sig = SIGTERM
    job_max_vacate_time = 40
    keep_claim_idle = 3
    notification = never
    periodic_remove = NumJobStarts > 0 && (JobStatus == 1 || JobStatus == 5) && time() - EnteredCurrentStatus > 86400
    +WantFlocking = True
    queue wf_index, wf_inputs from queue.txt
    "
  `);
});

test("what is fetched over the network is not sent: only the lines of queue.txt differ", () => {
  expect(described("copy")).toBe(described("transfer"));
});
