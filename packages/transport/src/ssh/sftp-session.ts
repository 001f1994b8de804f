import { WfError } from "@wf/protocol";
import type { SFTPWrapper } from "ssh2";
import { againIfLost } from "../again-if-lost.ts";
import { onAbort, unlessAborted } from "../on-abort.ts";
import type { Channels } from "./channels.ts";
import type { SshConnection } from "./connection.ts";

/** File systems of clusters take their time, but not as long. */
const LONGEST_ANSWER_MS = 180_000;

type Done<T> = (error: Error | null | undefined, value?: T) => void;

/** An open SFTP channel. ssh2 forgets questions that are asked when it has closed, so every one watches for that. */
export class SftpSession {
  readonly sftp: SFTPWrapper;
  readonly lost: AbortSignal;

  readonly #giveUp: () => void;

  constructor(sftp: SFTPWrapper, lost: AbortSignal, giveUp: () => void) {
    this.sftp = sftp;
    this.lost = lost;
    this.#giveUp = giveUp;
  }

  async call<T = void>(ask: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T> {
    this.lost.throwIfAborted();
    const answer = new Promise<T>((resolve, reject) => {
      ask(this.sftp, (error, value) => (error ? reject(error) : resolve(value as T)));
    });
    const timer = setTimeout(this.#giveUp, LONGEST_ANSWER_MS);
    try {
      return await unlessAborted(answer, this.lost);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** One SFTP channel of the connection, opened when it is first needed. */
export class SftpSessions {
  readonly #connection: SshConnection;
  readonly #channels: Channels;
  readonly #place: string;
  #opening: Promise<SftpSession> | undefined;

  constructor(connection: SshConnection, channels: Channels, place: string) {
    this.#connection = connection;
    this.#channels = channels;
    this.#place = place;
  }

  /** Does something that may be done twice: it is, where the connection was cut under it. */
  async use<T>(signal: AbortSignal, work: (session: SftpSession) => Promise<T>): Promise<T> {
    return await againIfLost(signal, async () => {
      signal.throwIfAborted();
      const session = await unlessAborted(this.#session(), signal);
      try {
        return await unlessAborted(work(session), signal);
      } catch (error) {
        throw session.lost.aborted && !signal.aborted ? session.lost.reason : error;
      }
    });
  }

  async #session(): Promise<SftpSession> {
    for (;;) {
      this.#opening ??= this.#open();
      const opening = this.#opening;
      const forget = () => {
        if (this.#opening === opening) this.#opening = undefined;
      };
      const session = await opening.catch((error) => {
        forget();
        throw error;
      });
      if (!session.lost.aborted) return session;
      forget();
    }
  }

  async #open(): Promise<SftpSession> {
    const everyone = new AbortController().signal;
    const link = await this.#connection.link(everyone);
    const sftp = await this.#channels.openSftp(link, everyone);
    const lost = new AbortController();
    const letGo = onAbort(link.lost, () => lost.abort(link.lost.reason));
    const closed = () => {
      letGo();
      if (!lost.signal.aborted)
        lost.abort(new WfError("WF_SSH_LOST", "The server closed the SFTP channel", { where: this.#place }));
    };
    sftp.on("close", closed).on("error", closed);
    return new SftpSession(sftp, lost.signal, () => {
      lost.abort(this.#hangs());
      sftp.end();
    });
  }

  /** The server works one question off after the other, so none of those behind it will be answered either. */
  #hangs(): WfError {
    return new WfError("WF_SITE_FILE", `The site has not answered for ${LONGEST_ANSWER_MS / 1000} s`, {
      where: this.#place,
      hint: "Its file system may hang. Look at it there, and go on with `wf resume` when it works.",
    });
  }
}
