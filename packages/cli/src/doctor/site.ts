import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalBackend, detectCapacity } from "@wf/backend-local";
import type { NamedSite } from "@wf/site";
import { formatBytes } from "../format/bytes.ts";
import { type Check, ok, warn } from "./diagnosis.ts";

const TIMEOUT_MS = 30_000;

export function checkMachine(site: NamedSite): Check {
  return {
    name: "machine",
    async examine() {
      const found = await detectCapacity(AbortSignal.timeout(TIMEOUT_MS));
      const { cpus = found.cpus, memory = found.memoryBytes, gpus = found.gpus } = site.resources;
      const says = `${cpus} cpus, ${formatBytes(memory)} memory, ${gpus} gpus`;
      const isTooMuch = cpus > found.cpus || memory > found.memoryBytes || gpus > found.gpus;
      if (!isTooMuch) return ok(says);
      const has = `${found.cpus} cpus, ${formatBytes(found.memoryBytes)}, ${found.gpus} gpus`;
      return warn(`${says}: more than the machine has (${has})`, `lower sites.${site.name}.resources in sites.yaml`);
    },
  };
}

/** Starts one, talks to it and lets it go, as a run does. */
export function checkLauncher(site: NamedSite): Check {
  return {
    name: "launcher",
    async examine() {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const storage = mkdtempSync(join(tmpdir(), "wf-doctor-"));
      const capacity = { cpus: 1, memoryBytes: 1e9, gpus: 0 };
      const backend = createLocalBackend({ run: "doctor", storage, capacity, python: site.python });
      try {
        await backend.open(() => undefined, signal);
        return ok("starts and answers");
      } finally {
        await backend.close(signal);
        rmSync(storage, { recursive: true, force: true });
      }
    },
  };
}
