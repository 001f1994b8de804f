import { launcherFailure, SiteLauncher } from "@wf/launcher";
import { type JobSpec, type RunFolder, siteRunFolder } from "@wf/protocol";
import type { Process, RunResult, Transport } from "@wf/transport";
import { z } from "zod";
import type { JobFailure } from "./job-ending.ts";
import { TOLD_LINE, tailOf } from "./why-ended.ts";

const Counts = z.record(z.string(), z.number());
const SubmitReply = z.object({ code: z.number().nullable(), stdout: z.string(), stderr: z.string(), commands: Counts });
const RecallReply = z.object({ id: z.string().nullable(), unknown: z.string().optional(), commands: Counts });
const TableEntry = z.object({ job: z.string(), tasks: z.array(z.object({ task: z.string(), attempt: z.string() })) });
const LookReply = z.object({
  attempts: z.record(
    z.string(),
    z.object({
      isRecorded: z.boolean(),
      token: z.string().optional(),
      index: z.number().int().optional(),
      /** A pilot has it, or will have it. */
      isMailed: z.boolean().optional(),
    }),
  ),
  /** By their tokens. */
  pilots: z.record(z.string(), z.object({ id: z.string().nullable(), hasLeft: z.boolean() })),
  submissions: z.record(z.string(), z.object({ id: z.string().nullable(), elements: z.array(TableEntry) })),
});
const CollectReply = z.object({ elements: z.array(z.object({ says: z.string().nullable() })) });
const PostReply = z.object({ left: z.array(z.string()) });
const PilotReply = z.object({ settled: z.array(z.string()) });
const SettleReply = z.object({ unstarted: z.array(z.number().int()) });

/** A job of one element, as the table of its submission names it. */
export type TableEntry = z.infer<typeof TableEntry>;
export type LookReply = z.infer<typeof LookReply>;
export type SubmitReply = z.infer<typeof SubmitReply>;
export type RecallReply = z.infer<typeof RecallReply>;

/** What has to be said of an element whose attempts will write no records of their own. */
export interface ElementToSettle extends TableEntry {
  /** Null where it was never submitted. */
  readonly token: string | null;
  readonly index: number;
  /** Its job is known to be over, even if it had started. */
  readonly isDead: boolean;
  /** All of its job, also those that have their records. */
  readonly attempts: readonly string[];
  readonly failure: JobFailure;
  readonly host: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly peakMemoryBytes: number | null;
}

/** A pilot whose job is over, and why what it was doing has failed. */
export interface PilotToSettle {
  readonly pilot: string;
  readonly failure: JobFailure;
  readonly host: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
}

export interface LoginNodeOptions {
  readonly run: string;
  /** What the launcher's own commands for it begin with. */
  readonly scheduler: "slurm" | "condor";
  readonly storage: string;
  readonly transport: Transport;
  readonly python: string;
  /** The launcher's zipapp on this machine. Default: the one that the build made. */
  readonly launcher?: string | undefined;
  /** What sites.yaml calls the site, for what people are told to type. */
  readonly site?: string | undefined;
}

/** What the launcher does near the scheduler and the storage. All of it may be repeated without harm. */
export class LoginNode {
  readonly #options: LoginNodeOptions;
  readonly #launcher: SiteLauncher;
  readonly #folder: RunFolder;

  constructor(options: LoginNodeOptions) {
    this.#options = options;
    this.#launcher = new SiteLauncher(options);
    this.#folder = siteRunFolder(options.storage, options.run);
  }

  /** Where the launcher lies on the site. */
  get launcher(): string {
    return this.#launcher.folder;
  }

  folderOf(token: string): string {
    return this.#folder.submission(token).root;
  }

  /** Brings the launcher to the site, unless it is there. Says whether the run has submitted anything before. */
  async prepare(signal: AbortSignal): Promise<{ readonly hasPast: boolean }> {
    await this.#launcher.deliver(signal);
    const past = await this.#options.transport.list(this.#folder.submissions, signal);
    return { hasPast: past !== undefined && past.length > 0 };
  }

  /** The scheduler's own answer; that of an earlier call where there was one. */
  async submit(token: string, document: object, signal: AbortSignal): Promise<SubmitReply> {
    const command = `${this.#options.scheduler}-submit`;
    return SubmitReply.parse(await this.#ask([command, this.folderOf(token)], document, signal));
  }

  async recall(token: string, signal: AbortSignal): Promise<RecallReply> {
    const command = `${this.#options.scheduler}-recall`;
    return RecallReply.parse(await this.#ask([command, this.folderOf(token)], {}, signal));
  }

  async look(attempts: readonly string[], signal: AbortSignal): Promise<LookReply> {
    return LookReply.parse(await this.#ask(["look", ...this.#place], { attempts }, signal));
  }

  /** Returns which of them had not started and never will, by position. */
  async settle(elements: readonly ElementToSettle[], signal: AbortSignal): Promise<readonly number[]> {
    return SettleReply.parse(await this.#ask(["settle", ...this.#place], { elements }, signal)).unstarted;
  }

  /** Of single tasks: `tasks` of an element are those to cancel, and the others of its job go on. */
  async cancel(elements: readonly ElementToSettle[], signal: AbortSignal): Promise<void> {
    await this.#ask(["cancel", ...this.#place], { elements }, signal);
  }

  /** Publishes what returned from machines that do not see the storage. Says of each what is wrong with it. */
  async collect(
    elements: readonly { readonly token: string | null; readonly index: number }[],
    signal: AbortSignal,
  ): Promise<readonly (string | null)[]> {
    const request = { elements: elements.map(({ token, index }) => ({ token, index })) };
    const reply = CollectReply.parse(await this.#ask(["condor-collect", ...this.#place], request, signal));
    return reply.elements.map(({ says }) => says);
  }

  /** Leaves jobs for pilots. Returns the pilots that will not see them, since they have left. */
  async post(jobs: readonly JobSpec[], signal: AbortSignal): Promise<readonly string[]> {
    return PostReply.parse(await this.#ask(["mail-post", ...this.#place], { jobs }, signal)).left;
  }

  /** Takes back what no pilot has, which has then failed so. Unless `isOnlyWaiting`, pilots end what they run of it. */
  async takeBack(
    request: { readonly attempts: readonly string[]; readonly failure: JobFailure; readonly isOnlyWaiting: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    await this.#ask(["mail-cancel", ...this.#place], request, signal);
  }

  /** Pilots that have nothing to do leave, instead of waiting for more. */
  async sendPilotsHome(signal: AbortSignal): Promise<void> {
    await this.#ask(["mail-close", ...this.#place], {}, signal);
  }

  /** Returns the attempts that it had claimed and not recorded. */
  async settlePilot(pilot: PilotToSettle, signal: AbortSignal): Promise<readonly string[]> {
    return PilotReply.parse(await this.#ask(["mail-settle", ...this.#place], pilot, signal)).settled;
  }

  async openWatch(signal: AbortSignal): Promise<Process> {
    return await this.#options.transport.open({ argv: [...this.#launcher.command, "watch", ...this.#place] }, signal);
  }

  /** A command of the scheduler itself. */
  async run(argv: readonly [string, ...string[]], signal: AbortSignal): Promise<RunResult> {
    return await this.#options.transport.run({ argv, env: { TZ: "UTC" }, isRepeatable: true }, signal);
  }

  /** The end of what a job printed, apart from its tasks. */
  async outputOf(
    { token, index }: { readonly token: string | null; readonly index: number },
    signal: AbortSignal,
  ): Promise<string> {
    if (token === null) return "";
    const file = this.#folder.submission(token).output(index);
    const { transport } = this.#options;
    const found = await transport.stat(file, signal);
    // A task could put anything there: a link to what never ends, or more than fits into memory.
    if (found?.kind !== "file") return "";
    if (found.sizeBytes <= READ_WHOLE_BYTES) {
      return tailOf((await transport.readFile(file, signal))?.toString("utf8") ?? "", OUTPUT_CHARACTERS);
    }
    const print = async (...argv: [string, ...string[]]) =>
      (await transport.run({ argv: [...argv, file], isRepeatable: true }, signal)).stdout;
    return `${await print("grep", "-a", "-m", "1", TOLD_LINE)}${await print("tail", "-c", String(OUTPUT_CHARACTERS))}`;
  }

  async #ask(argv: readonly string[], request: unknown, signal: AbortSignal): Promise<unknown> {
    return JSON.parse(await this.#run([...this.#launcher.command, ...argv], JSON.stringify(request), signal));
  }

  async #run(argv: readonly [string, ...string[]], stdin: string, signal: AbortSignal): Promise<string> {
    const command = { argv, stdin, isRepeatable: true, timeoutMs: ASK_TIMEOUT_MS };
    const result = await this.#options.transport.run(command, signal);
    if (result.code === 0) return result.stdout;
    const { transport, site } = this.#options;
    throw launcherFailure(result, { what: "The launcher failed on the login node", place: transport.name, argv, site });
  }

  get #place(): readonly [storage: string, run: string] {
    return [this.#options.storage, this.#options.run];
  }
}

const OUTPUT_CHARACTERS = 65_536;
const READ_WHOLE_BYTES = 16 * OUTPUT_CHARACTERS;
/** A scheduler that hangs is waited for on the site, where it is known what came of it. */
const ASK_TIMEOUT_MS = 10 * 60_000;
