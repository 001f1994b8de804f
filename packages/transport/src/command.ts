import type { Readable, Writable } from "node:stream";

/** A command is an argument vector. Nothing in it is read by a shell. */
export interface Command {
  readonly argv: readonly [program: string, ...args: string[]];
  /** Default: the user's home over ssh, the own working directory on this machine. */
  readonly cwd?: string | undefined;
  /** Added to the environment that the place gives. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A command that is run to its end. */
export interface RunCommand extends Command {
  readonly stdin?: string | Uint8Array | undefined;
  /** After this it is ended, and the call fails. Default: two minutes. */
  readonly timeoutMs?: number | undefined;
  /** The most that it may print on either stream; beyond, it is ended and the call fails. Default: 16 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /** It may run twice without harm, so it is run again where the connection was cut under it. Default: no. */
  readonly isRepeatable?: boolean | undefined;
}

/** How a process ended: with a code, or by a signal such as `SIGTERM`. A program that does not exist ends with 127. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface RunResult extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that runs. Both of its outputs must be read, or it stops when they are full. */
export interface Process {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles when it has ended and its outputs were read. Fails with `WF_SSH_LOST` if the connection was cut. */
  readonly exit: Promise<Exit>;
  /** Sends a signal to it and to what it started. */
  kill(signal: "SIGTERM" | "SIGKILL"): void;
}
