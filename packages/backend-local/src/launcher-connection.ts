import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import type { Capacity } from "@wf/backend";
import { createLineSplitter } from "@wf/launcher";
import { WfError } from "@wf/protocol";
import {
  type EngineMessage,
  type LauncherMessage,
  PROTOCOL_VERSION,
  parseLauncherMessage,
} from "./launcher-message.ts";
import { withPatience } from "./with-patience.ts";

const HELLO_TIMEOUT_MS = 30_000;
const GOODBYE_TIMEOUT_MS = 5_000;

export interface ConnectionHandlers {
  /** Called in the order of the stream; `hello` is the first. */
  readonly onMessage: (message: LauncherMessage) => void;
  /** Called once, if a connection that had said hello ends without our doing. */
  readonly onLost: (error: Error | null) => void;
}

/** One live conversation with a launcher. What is said within one turn of the event loop leaves in one write. */
export class LauncherConnection {
  readonly #socket: Socket;
  #unsent: string[] = [];
  #isOurEnd = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Null: nobody listens there, or whoever did went away before it answered. */
  static async open(
    socketPath: string,
    capacity: Capacity,
    handlers: ConnectionHandlers,
    signal: AbortSignal,
  ): Promise<LauncherConnection | null> {
    const socket = createConnection(socketPath);
    const connection = new LauncherConnection(socket);
    try {
      const hasAnswered = await withPatience(HELLO_TIMEOUT_MS, signal, async (patience) => {
        await once(socket, "connect", { signal: patience });
        connection.send({ op: "hello", version: PROTOCOL_VERSION, capacity });
        return connection.#listen(handlers, patience);
      });
      return hasAnswered ? connection : null;
    } catch (error) {
      connection.drop();
      signal.throwIfAborted();
      if (isNobody(error)) return null;
      if (error instanceof WfError) throw error;
      throw new WfError("WF_LAUNCHER", "The launcher does not answer.", { where: socketPath, cause: error });
    }
  }

  send(message: EngineMessage): void {
    if (this.#unsent.length === 0) setImmediate(() => this.#flush());
    this.#unsent.push(`${JSON.stringify(message)}\n`);
  }

  /** Says goodbye. A launcher that is idle ends at once, and its hanging up can be waited for. */
  async release(isIdle: boolean, signal: AbortSignal): Promise<void> {
    this.#isOurEnd = true;
    this.send({ op: "release" });
    this.#flush();
    if (!isIdle) this.#socket.end();
    if (!this.#socket.destroyed) {
      const hungUp = (patience: AbortSignal) => once(this.#socket, "close", { signal: patience });
      await withPatience(GOODBYE_TIMEOUT_MS, signal, hungUp).catch(() => undefined);
    }
    this.#socket.destroy();
  }

  /** Hangs up without a word. */
  drop(): void {
    this.#isOurEnd = true;
    this.#socket.destroy();
  }

  #flush(): void {
    const text = this.#unsent.join("");
    this.#unsent = [];
    if (text !== "" && this.#socket.writable) this.#socket.write(text);
  }

  #listen(handlers: ConnectionHandlers, patience: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      let hasAnswered = false;
      let failure: Error | null = null;
      const fail = (error: Error) => {
        failure ??= error;
        reject(error);
        this.#socket.destroy();
      };
      const split = createLineSplitter((line) => {
        if (failure !== null || this.#isOurEnd) return;
        let message: LauncherMessage;
        try {
          message = parseMessage(line);
        } catch (error) {
          return fail(error as Error);
        }
        if (message.event === "hello") {
          hasAnswered = true;
          resolve(true);
        }
        handlers.onMessage(message);
      });
      patience.addEventListener("abort", () => hasAnswered || fail(patience.reason), { once: true });
      this.#socket.on("data", split);
      this.#socket.on("error", (error) => {
        failure ??= error;
      });
      this.#socket.on("close", () => {
        if (!hasAnswered) resolve(false);
        else if (!this.#isOurEnd) handlers.onLost(failure);
      });
    });
  }
}

function parseMessage(line: string): LauncherMessage {
  try {
    const message = parseLauncherMessage(line);
    if (message.event !== "hello" || message.version === PROTOCOL_VERSION) return message;
  } catch (cause) {
    throw new WfError("WF_LAUNCHER", `The launcher said something that cannot be understood: ${line.slice(0, 200)}`, {
      cause,
    });
  }
  throw new WfError("WF_LAUNCHER", "This run's launcher was started by another version of wf.", {
    hint: "Wait until its tasks have ended, or resume the run with the version that started it.",
  });
}

function isNobody(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ECONNRESET" || code === "EPIPE";
}
