import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContractSession } from "@wf/backend/contract";
import { sampleJob, sampleTask } from "@wf/backend/testing";
import type { TaskRecord } from "@wf/protocol";
import { localTransport } from "@wf/transport";
import { ClusterBackend } from "../cluster-backend.ts";
import { SchedulerCommands } from "../commands/scheduler-commands.ts";
import { LoginNode } from "../login-node.ts";
import type { Submission } from "../submitting/submission.ts";
import { SchedulerByHand } from "./scheduler-by-hand.ts";

/** A backend with the real launcher on a real storage, and a scheduler that does what a test says. */
export class BackendByHand {
  readonly storage = mkdtempSync(join(tmpdir(), "wf-cluster-"));
  readonly scheduler = new SchedulerByHand(join(this.storage, "runs/r1"));
  readonly session: ContractSession;

  constructor() {
    const { storage, scheduler } = this;
    const login = new LoginNode({
      ...{ run: "r1", scheduler: "slurm", storage, python: "python3" },
      transport: localTransport(),
    });
    const backend = new ClusterBackend({
      ...{ name: "by-hand", run: "r1", login, system: scheduler, windowMs: 1 },
      capabilities: { capacity: null, maxInFlight: 100, arrays: true, fileTransfer: false, liveMetrics: false },
      commands: new SchedulerCommands((argv, signal) => login.run(argv, signal), { commands: 100, per: 1 }),
    });
    this.session = new ContractSession(backend);
  }

  async dispose(): Promise<void> {
    await this.session.close();
    rmSync(this.storage, { recursive: true });
  }

  job(...attempts: readonly string[]) {
    return sampleJob(
      attempts.map((attempt) => sampleTask(attempt)),
      { storage: this.storage },
    );
  }

  /** Submits jobs as one, which the scheduler calls 7, and returns what it has of them. */
  async submitted(...jobs: readonly ReturnType<typeof this.job>[]): Promise<Submission<null>> {
    const taken = new Promise<Submission<null>>((resolve) => {
      this.scheduler.answer = (submission) => {
        this.scheduler.makeFolderOf(submission);
        resolve(submission);
        return { type: "accepted", id: "7" };
      };
    });
    await this.session.submit(...jobs);
    const submission = await taken;
    for (const { tasks } of jobs) for (const { attempt } of tasks) await this.#queued(attempt);
    return submission;
  }

  /** The same, with one job more, `like@1` in 7_0, which is cancelled: records are made like its own. */
  async submittedWithSample(...jobs: readonly ReturnType<typeof this.job>[]): Promise<Submission<null>> {
    const submission = await this.submitted(this.job("like@1"), ...jobs);
    await this.session.cancel("like@1");
    await this.session.finished("like@1");
    return submission;
  }

  async #queued(attempt: string): Promise<void> {
    const { events } = this.session;
    const isQueued = () =>
      events.some((event) => event.type === "queued" && event.attempts.some((one) => one.attempt === attempt));
    while (!isQueued()) await new Promise(setImmediate);
  }

  /** As a launcher does, with what differs from the sample. */
  leaveRecord(attempt: string, about: object): void {
    this.leaveText(attempt, JSON.stringify({ ...this.#sample(), attempt, task: taskOf(attempt), ...about }));
  }

  /** Of a task whose command ended at a time. */
  leaveSuccess(attempt: string, endedAt: number): void {
    this.leaveRecord(attempt, { state: "succeeded", failure: null, exitCode: 0, endedAt });
  }

  /** In the place of a record. */
  leaveText(attempt: string, text: string): void {
    writeFileSync(join(this.#records, "draft"), text);
    renameSync(join(this.#records, "draft"), join(this.#records, `${attempt}.json`));
  }

  /** What the element of a submission wrote itself. */
  leaveOutput({ token }: Submission<null>, index: number, text: string): void {
    const folder = join(this.#folderOf(token), "output");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${index}.txt`), text);
  }

  /** Whether the element has begun, or never will. */
  isClaimed({ token }: Pick<Submission<null>, "token">, index: number): boolean {
    return existsSync(join(this.#folderOf(token), "started", String(index)));
  }

  /** Which of these attempts were told to have finished, in order. */
  told(...attempts: readonly string[]): readonly string[] {
    return this.session.events.flatMap((event) =>
      event.type === "finished" && attempts.includes(event.attempt) ? event.attempt : [],
    );
  }

  #sample(): TaskRecord {
    return JSON.parse(readFileSync(join(this.#records, "like@1.json"), "utf8"));
  }

  #folderOf(token: string): string {
    return join(this.storage, "runs/r1/submissions", token);
  }

  get #records(): string {
    return join(this.storage, "runs/r1/records");
  }
}

function taskOf(attempt: string): string {
  return attempt.replace(/@\d+$/, "");
}
