import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Backend } from "@wf/backend";
import type { BackendHarness } from "@wf/backend/contract";
import type { ClusterBackend } from "@wf/backend-cluster";
import { htcondorBackend } from "@wf/backend-htcondor";
import { HtcondorSettings, type Placement } from "@wf/site";
import { until } from "@wf/testing";
import type { Transport } from "@wf/transport";
import { expect } from "vitest";
import { QUICK } from "../clusters/bad-day-stage.ts";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { Places } from "../clusters/places.ts";
import { onSubmitHost } from "./condor-commands.ts";
import { SLOTS } from "./own-pool.ts";

const CPUS = 8;
const MEMORY_BYTES = 16_000 * 2 ** 20;

const BETWEEN_LOOKS_MS = 200;

const LARGEST = { cpus: CPUS, memory: MEMORY_BYTES };

/** For cases side by side: each has a slot to itself, and waits until one is free. */
export function makeCondorHarness(
  pool: CondorPool,
  transport: Transport,
  placement: Placement,
): () => Promise<BackendHarness> {
  const slots = new Places(Array.from({ length: SLOTS }, (_, index) => `${index + 1}`));
  return async () => {
    const slot = await slots.take();
    const settings = HtcondorSettings.parse({ ...QUICK, largest: LARGEST, requirements: `TARGET.SlotID == ${slot}` });
    const harness = newHarness(pool, transport, placement, settings);
    const dispose = async () => {
      await hasLeftQueue(pool, slot);
      await harness.dispose();
      slots.giveBack(slot);
    };
    return { ...harness, dispose };
  };
}

/** A job that a case has left in the queue would keep the next case from the cpus of its slot. */
async function hasLeftQueue(pool: CondorPool, slot: string): Promise<void> {
  const isForSlot = `regexp("SlotID == ${slot}", unparse(Requirements))`;
  const shown = ["JobStatus", "RequestCpus", "RemoteHost", "HoldReason", "LastRejMatchReason", "Args"];
  await until(`the jobs of a case to leave slot ${slot}`, async () => {
    const left = onSubmitHost(pool, "condor_q", "-allusers", "-constraint", isForSlot, "-af:j", ...shown);
    if (left !== "") await delay(BETWEEN_LOOKS_MS);
    expect(left).toBe("");
    return true;
  });
}

/** A storage of its own, which jobs see only where it is shared. */
export function newHarness(
  pool: CondorPool,
  transport: Transport,
  placement: Placement,
  settings: HtcondorSettings,
): BackendHarness {
  // The tasks are another user's than the tests.
  process.umask(0);
  const folderIn = (parent: string) => {
    const folder = mkdtempSync(join(parent, "case-"));
    chmodSync(folder, 0o777);
    return folder;
  };
  const seen = folderIn(pool.folder);
  const root = placement === "shared" ? seen : folderIn(pool.hidden);
  const storage = join(root, "storage");
  const scratch = join(seen, "scratch");
  mkdirSync(storage);
  mkdirSync(scratch);
  const run = "r1";
  return {
    run,
    storage,
    scratch,
    capacity: { cpus: CPUS, memoryBytes: MEMORY_BYTES, gpus: 0 },
    create: () => htcondorBackend({ run, storage, placement, settings, transport, python: "/usr/bin/python3" }),
    ...(placement === "shared"
      ? {}
      : { hasLeft: (attempt: string) => hasReturned(join(storage, "runs", run), attempt) }),
    crash: async (backend: Backend) => (backend as ClusterBackend).detach(),
    dispose: async () => {
      for (const folder of new Set([seen, root])) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      }
    },
  };
}

/** HTCondor has brought back what the job of an attempt left, and says so. */
function hasReturned(runFolder: string, attempt: string): boolean {
  const submissions = join(runFolder, "submissions");
  for (const token of readdirSync(submissions)) {
    const read = (name: string) => readFileSync(join(submissions, token, name), "utf8");
    const table: readonly { tasks: readonly { attempt: string }[] }[] = JSON.parse(read("table.json"));
    const index = table.findIndex(({ tasks }) => tasks.some((task) => task.attempt === attempt));
    if (index < 0) continue;
    const events = readFileSync(join(runFolder, "condor.log"), "utf8").split("</c>");
    const is = (event: string, name: string, value: string) => event.includes(`<a n="${name}">${value}</a>`);
    return events.some(
      (event) =>
        is(event, "MyType", "<s>JobTerminatedEvent</s>") &&
        is(event, "Cluster", `<i>${read("id")}</i>`) &&
        is(event, "Proc", `<i>${index}</i>`),
    );
  }
  return false;
}
