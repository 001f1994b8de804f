import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { onSubmitHost } from "./condor-commands.ts";

const BUILT = fileURLToPath(new URL("../../runtimes/launcher/dist/wf-launcher.pyz", import.meta.url));
const RUN = "r1";

export interface ReturnedRecord {
  readonly state: string;
  readonly failure: { readonly class: string; readonly message: string } | null;
  readonly outputs: Readonly<Record<string, { readonly hash: string }>>;
}

/** The launcher on a pool whose jobs do not see the storage, as its commands are given from afar. */
export class LauncherOnPool {
  readonly storage: string;
  readonly #pool: CondorPool;
  readonly #launcher: string;

  constructor(pool: CondorPool) {
    this.#pool = pool;
    this.#launcher = join(pool.folder, "wf-launcher.pyz");
    copyFileSync(BUILT, this.#launcher);
    chmodSync(this.#launcher, 0o644);
    this.storage = mkdtempSync(join(pool.hidden, "storage-"));
  }

  /** What starts it on the submit host. */
  get command(): readonly string[] {
    return ["/usr/bin/python3", "-I", "-S", this.#launcher];
  }

  put(content: string | Buffer): string {
    const hash = createHash("sha256").update(content).digest("hex");
    const path = this.#objectPath(hash);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return hash;
  }

  read(hash: string): Buffer {
    return readFileSync(this.#objectPath(hash));
  }

  #objectPath(hash: string): string {
    return join(this.storage, "objects", hash.slice(0, 2), hash);
  }

  /** Runs jobs of one task each, until HTCondor has ended all of them, and publishes what returned. */
  run(token: string, tasks: readonly object[], more: object): unknown {
    execFileSync("chown", ["-R", this.#pool.user, this.storage]);
    const folder = join(this.storage, "runs", RUN, "submissions", token);
    const jobs = tasks.map((task, index) => this.#job(`${token}-${index}@1`, task));
    const script = `#!/bin/sh\nexec /usr/bin/python3 -I -S wf-launcher.pyz away $1.json wf-out\n`;
    const submission = { name: token, script, description: this.#description(token), jobs, secrets: {}, ...more };
    this.#ask(["condor-submit", folder], submission);
    this.#wait(join(folder, "log"));
    return this.#ask(["condor-collect", this.storage, RUN], { elements: tasks.map((_, index) => ({ token, index })) });
  }

  #wait(log: string): void {
    try {
      onSubmitHost(this.#pool, "condor_wait", "-wait", "50", log);
    } catch {
      throw new Error(`HTCondor has not ended all jobs:\n${readFileSync(log, "utf8")}`);
    }
  }

  /** A file that HTCondor can read and send. */
  ownCopy(path: string): string {
    const copy = join(this.storage, basename(path));
    copyFileSync(path, copy);
    return copy;
  }

  record(attempt: string): ReturnedRecord {
    return JSON.parse(readFileSync(join(this.storage, "runs", RUN, "records", `${attempt}.json`), "utf8"));
  }

  #ask(words: readonly string[], request: object): unknown {
    const argv = ["-F", this.#pool.sshConfig, "condor", ...this.command, ...words];
    return JSON.parse(execFileSync("ssh", argv, { input: JSON.stringify(request), encoding: "utf8" }));
  }

  #job(attempt: string, task: object): object {
    const sizes = { cpus: 1, memoryBytes: 0, gpus: 0 };
    const limits = { timeLimitSeconds: null, graceSeconds: 5, warnSeconds: 0, keepSandbox: "failed" };
    const nothing = { after: [], env: {}, params: {}, inputs: [], outputs: [] };
    const spec = { task: attempt, attempt, ...nothing, ...sizes, ...limits, ...task };
    return { version: 1, run: RUN, job: attempt, storage: this.storage, ...sizes, tasks: [spec] };
  }

  #description(token: string): string {
    return `executable = script
arguments = $(wf_index)
log = log
output = output/$(wf_index).txt
error = output/$(wf_index).txt
My.WfToken = "${token}"
getenv = WF_SECRETS_PAD
should_transfer_files = YES
when_to_transfer_output = ON_EXIT
transfer_input_files = ${this.#launcher}, $(wf_inputs)
transfer_output_files = wf-out
transfer_output_remaps = "wf-out = returned/$(wf_index)"
queue wf_index, wf_inputs from queue.txt
`;
  }
}
