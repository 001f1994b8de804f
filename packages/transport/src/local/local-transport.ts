import { type Budget, CallQueue, USUAL_BUDGET } from "../call-queue.ts";
import type { Command, Process, RunCommand, RunResult } from "../command.ts";
import type { ContentFile, MovedObjects } from "../content-file.ts";
import type { Counts } from "../counts.ts";
import type { Entry, Status } from "../file-status.ts";
import { FollowingAbort } from "../on-abort.ts";
import { runToEnd } from "../run-to-end.ts";
import type { FileToMove, FileToWrite, Transport } from "../transport.ts";
import {
  chmodLocal,
  copyLocal,
  hashLocalFiles,
  linkLocal,
  listLocalFolder,
  makeLocalFolder,
  readLocalFile,
  removeLocal,
  renameLocal,
  statLocal,
  THIS_MACHINE,
  writeLocalFile,
} from "./local-files.ts";
import { copyObjects } from "./local-objects.ts";
import { startLocalProcess } from "./local-process.ts";

const AT_ONCE = 16;

export interface LocalOptions {
  /** The most commands in a stretch of time. Default: 600 a minute. */
  readonly budget?: Budget | undefined;
}

/** Commands and files of this machine: on a laptop, or on the login node of a cluster. */
export function localTransport({ budget = USUAL_BUDGET }: LocalOptions = {}): Transport {
  return new LocalTransport(budget);
}

class LocalTransport implements Transport {
  readonly name = THIS_MACHINE;
  readonly #queue: CallQueue;
  readonly #life = new AbortController();
  #commands = 0;
  #open = 0;
  #peak = 0;

  constructor(budget: Budget) {
    this.#queue = new CallQueue(AT_ONCE, budget);
  }

  get counts(): Counts {
    return {
      connections: 0,
      connectionAttempts: 0,
      channelsOpen: this.#open,
      channelsPeak: this.#peak,
      commands: this.#commands,
      commandsWaiting: this.#queue.waiting,
      sentBytes: 0,
      receivedBytes: 0,
    };
  }

  async run(command: RunCommand, signal: AbortSignal): Promise<RunResult> {
    return await runToEnd((inner, life) => this.#start(inner, life), command, this.name, signal);
  }

  async open(command: Command, signal: AbortSignal): Promise<Process> {
    return await this.#start(command, signal);
  }

  readFile(path: string, signal: AbortSignal): Promise<Buffer | undefined> {
    return readLocalFile(path, signal);
  }

  writeFile(file: FileToWrite, signal: AbortSignal): Promise<void> {
    return writeLocalFile(file, signal);
  }

  list(folder: string, signal: AbortSignal): Promise<readonly Entry[] | undefined> {
    return listLocalFolder(folder, signal);
  }

  stat(path: string, signal: AbortSignal): Promise<Status | undefined> {
    return statLocal(path, signal);
  }

  async makeFolder(path: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await makeLocalFolder(path);
  }

  async remove(path: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await removeLocal(path);
  }

  async rename({ from, to }: { from: string; to: string }, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await renameLocal(from, to);
  }

  async symlink({ path, target }: { path: string; target: string }, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await linkLocal(path, target);
  }

  async chmod(path: string, mode: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await chmodLocal(path, mode);
  }

  sha256(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    return hashLocalFiles(paths, signal);
  }

  upload(file: FileToMove, signal: AbortSignal): Promise<void> {
    return copyLocal(file, signal);
  }

  download({ local, remote, mode }: FileToMove, signal: AbortSignal): Promise<void> {
    return copyLocal({ local: remote, remote: local, mode }, signal);
  }

  putObjects(root: string, files: readonly ContentFile[], signal: AbortSignal): Promise<MovedObjects> {
    return copyObjects("put", root, files, signal);
  }

  getObjects(root: string, files: readonly ContentFile[], signal: AbortSignal): Promise<MovedObjects> {
    return copyObjects("get", root, files, signal);
  }

  async close(): Promise<void> {
    this.#life.abort(new Error("the transport was closed"));
  }

  async #start(command: Command, signal: AbortSignal): Promise<Process> {
    const life = new FollowingAbort(signal, this.#life.signal);
    const release = await this.#queue.take(life.signal);
    try {
      const process = await startLocalProcess(command, life.signal);
      this.#commands += 1;
      this.#open += 1;
      this.#peak = Math.max(this.#peak, this.#open);
      const over = () => {
        this.#open -= 1;
        life.letGo();
        release();
      };
      process.exit.then(over, over);
      return process;
    } catch (error) {
      life.letGo();
      release();
      throw error;
    }
  }
}
