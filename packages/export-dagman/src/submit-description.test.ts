import { HtcondorSettings } from "@wf/site";
import { expect, test } from "vitest";
import { submitDescription } from "./submit-description.ts";

const job = {
  does: "The jobs of train.",
  universe: "vanilla",
  node: "$(node)",
  words: ["run", "$(node)"],
  cpus: 1,
  memoryBytes: 0,
  diskBytes: 0,
  gpus: 0,
  graceSeconds: 5,
  settings: HtcondorSettings.parse({}),
} as const;

test("a job that asks for nothing gets a core", () => {
  expect(submitDescription(job)).toBe(`# The jobs of train.
universe = vanilla
executable = node.sh
transfer_executable = False
arguments = run $(node)
output = logs/$(node).out
error = logs/$(node).err
should_transfer_files = NO
request_cpus = 1
kill_sig = SIGTERM
remove_kill_sig = SIGINT
job_max_vacate_time = 15
keep_claim_idle = 3
notification = never
queue
`);
});

test("resources are rounded up, and the site adds its own lines", () => {
  const settings = HtcondorSettings.parse({
    requirements: "HasAvx2",
    rank: "Memory",
    accountingGroup: "group_ml",
    accountingGroupUser: "ada",
    description: ["+WantX = True", "nice_user = True"],
  });
  const asked = { cpus: 1.5, memoryBytes: 2 ** 30 + 1, diskBytes: 1500, gpus: 2, settings };
  expect(submitDescription({ ...job, ...asked })).toBe(`# The jobs of train.
universe = vanilla
executable = node.sh
transfer_executable = False
arguments = run $(node)
output = logs/$(node).out
error = logs/$(node).err
should_transfer_files = NO
request_cpus = 2
request_memory = 1025
request_disk = 2
request_gpus = 2
requirements = HasAvx2
rank = Memory
accounting_group = group_ml
accounting_group_user = ada
kill_sig = SIGTERM
remove_kill_sig = SIGINT
job_max_vacate_time = 15
keep_claim_idle = 3
notification = never
+WantX = True
nice_user = True
queue
`);
});

test("a job on the machine that submits asks the pool for nothing", () => {
  const settings = HtcondorSettings.parse({ requirements: "HasAvx2" });
  const local = { ...job, universe: "local", words: ["prepare", "abc"], settings } as const;
  expect(submitDescription(local)).toBe(`# The jobs of train.
universe = local
executable = node.sh
transfer_executable = False
arguments = prepare abc
output = logs/$(node).out
error = logs/$(node).err
kill_sig = SIGTERM
remove_kill_sig = SIGINT
notification = never
queue
`);
});
