import { WfError } from "@wf/protocol";
import { againIfLost } from "../again-if-lost.ts";
import { USUAL_BUDGET } from "../call-queue.ts";
import type { Command, Process, RunCommand, RunResult } from "../command.ts";
import type { ContentFile, MovedObjects } from "../content-file.ts";
import type { Counts } from "../counts.ts";
import { FarSide } from "../far-side.ts";
import type { Entry, Status } from "../file-status.ts";
import { runToEnd } from "../run-to-end.ts";
import { siteFileError } from "../site-file-error.ts";
import { checkedSitePath } from "../site-path.ts";
import type { FileToMove, FileToWrite, Transport } from "../transport.ts";
import { nobodyToAsk } from "./ask.ts";
import { Channels, FEWEST_CHANNELS } from "./channels.ts";
import { SshConnection } from "./connection.ts";
import { getObjects } from "./get-objects.ts";
import { KeyRing } from "./key-ring.ts";
import { putObjects } from "./put-objects.ts";
import { SftpFiles } from "./sftp-files.ts";
import { SftpMoves } from "./sftp-moves.ts";
import { SftpSessions } from "./sftp-session.ts";
import type { SshOptions } from "./ssh-options.ts";

/** Commands and files of a machine over ssh. It connects when it is first used, and once. */
export function sshTransport(options: SshOptions): Transport {
  return new SshTransport(options);
}

class SshTransport implements Transport {
  readonly name: string;
  readonly #connection: SshConnection;
  readonly #channels: Channels;
  readonly #farSide: FarSide;
  readonly #files: SftpFiles;
  readonly #moves: SftpMoves;

  constructor(options: SshOptions) {
    const { destination, channels = 8, budget = USUAL_BUDGET, prelude = "", python = "python3" } = options;
    const { ask = nobodyToAsk, reconnect = {} } = options;
    if (channels < FEWEST_CHANNELS)
      throw new WfError("WF_SITE_INVALID", `${channels} channels are too few: at least ${FEWEST_CHANNELS} are needed`);
    const place = destination;
    this.name = place;
    this.#connection = new SshConnection({
      destination,
      configFile: options.configFile,
      keyRing: new KeyRing(ask),
      ask,
      silenceMs: options.silenceMs ?? 20_000,
      keepAliveMs: options.keepAliveMs ?? 15_000,
      backOff: reconnect.backOff ?? { firstMs: 2_000, longestMs: 60_000 },
      patienceMs: reconnect.patienceMs ?? 15 * 60_000,
      stableMs: reconnect.stableMs ?? 60_000,
      attemptsPerMinute: reconnect.attemptsPerMinute ?? 6,
      onEvent: options.onEvent ?? (() => undefined),
    });
    this.#channels = new Channels(this.#connection, { place, channels, budget, prelude });
    const start = (command: Command, signal: AbortSignal) => this.#channels.start(command, signal);
    this.#farSide = new FarSide({ python, place, start });
    const sessions = new SftpSessions(this.#connection, this.#channels, place);
    this.#files = new SftpFiles(sessions, this.#farSide, place);
    this.#moves = new SftpMoves(this.#files, this.#farSide, place);
  }

  get counts(): Counts {
    return { ...this.#connection.counts, ...this.#channels.counts };
  }

  async run(command: RunCommand, signal: AbortSignal): Promise<RunResult> {
    const start = (inner: Command, life: AbortSignal) => this.#channels.start(inner, life);
    const once = () => runToEnd(start, command, this.name, signal);
    return command.isRepeatable ? await againIfLost(signal, once) : await once();
  }

  open(command: Command, signal: AbortSignal): Promise<Process> {
    return this.#channels.startLongLived(command, signal);
  }

  readFile(path: string, signal: AbortSignal): Promise<Buffer | undefined> {
    return this.#files.read(path, signal);
  }

  writeFile(file: FileToWrite, signal: AbortSignal): Promise<void> {
    return this.#files.write(file, signal);
  }

  list(folder: string, signal: AbortSignal): Promise<readonly Entry[] | undefined> {
    return this.#files.list(folder, signal);
  }

  stat(path: string, signal: AbortSignal): Promise<Status | undefined> {
    return this.#files.stat(path, signal);
  }

  makeFolder(path: string, signal: AbortSignal): Promise<void> {
    return this.#files.makeFolder(path, signal);
  }

  async remove(path: string, signal: AbortSignal): Promise<void> {
    if (await this.#files.removeFile(path, signal)) return;
    const command = { argv: ["rm", "-rf", "--", checkedSitePath(path)], isRepeatable: true } as const;
    const { code, stderr } = await this.run(command, signal);
    if (code !== 0) throw siteFileError(undefined, "remove", path, this.name, new Error(stderr.trim()));
  }

  rename({ from, to }: { from: string; to: string }, signal: AbortSignal): Promise<void> {
    return this.#files.rename(from, to, signal);
  }

  symlink({ path, target }: { path: string; target: string }, signal: AbortSignal): Promise<void> {
    return this.#files.symlink(path, target, signal);
  }

  chmod(path: string, mode: number, signal: AbortSignal): Promise<void> {
    return this.#files.chmod(path, mode, signal);
  }

  sha256(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return this.#moves.sha256(paths, signal);
  }

  upload(file: FileToMove, signal: AbortSignal): Promise<void> {
    return this.#moves.upload(file, signal);
  }

  download(file: FileToMove, signal: AbortSignal): Promise<void> {
    return this.#moves.download(file, signal);
  }

  putObjects(root: string, files: readonly ContentFile[], signal: AbortSignal): Promise<MovedObjects> {
    return putObjects(this.#farSide, this.#moves, checkedSitePath(root), files, signal);
  }

  getObjects(root: string, files: readonly ContentFile[], signal: AbortSignal): Promise<MovedObjects> {
    const context = { farSide: this.#farSide, moves: this.#moves, place: this.name };
    return getObjects(context, checkedSitePath(root), files, signal);
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}
