import type { Budget } from "../call-queue.ts";
import type { Ask } from "./ask.ts";
import type { BackOff } from "./back-off.ts";
import type { ConnectionEvent } from "./connection.ts";

export interface SshOptions {
  /** What you would type after `ssh`: an alias of `~/.ssh/config`, `user@host`, or `ssh://user@host:port`. */
  readonly destination: string;
  /** Read instead of `~/.ssh/config` and the system's file, as by `ssh -F`. */
  readonly configFile?: string | undefined;
  /** The most channels at once, at least 3. Default: 8, as a server usually allows 10. */
  readonly channels?: number | undefined;
  /** The most commands in a stretch of time; more wait. Default: 600 a minute. */
  readonly budget?: Budget | undefined;
  /** Python 3.6 or newer on the site. Default: `python3`. */
  readonly python?: string | undefined;
  /** Lines of sh before every command, such as `. /etc/profile`, where a cluster sets its PATH only for logins. */
  readonly prelude?: string | undefined;
  /** Asks a person for passphrases and one-time codes, as `askOnTerminal` does. Default: nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** Is told when the connection comes and goes. */
  readonly onEvent?: ((event: ConnectionEvent) => void) | undefined;
  readonly reconnect?: Reconnect | undefined;
  /** How often a silent connection is looked after; four answers missed, and it counts as cut. Default: 15 s. */
  readonly keepAliveMs?: number | undefined;
  /** How long a machine may take to answer while it is connected to. Default: 20 s. */
  readonly silenceMs?: number | undefined;
}

export interface Reconnect {
  /** The pauses between tries: the first one, then longer ones. Default: 2 s to 60 s, half of it by chance. */
  readonly backOff?: BackOff | undefined;
  /** How long a connection that was lost is tried again. Default: 15 minutes. */
  readonly patienceMs?: number | undefined;
  /** A connection that lived so long was a good one, and the pauses start anew. Default: a minute. */
  readonly stableMs?: number | undefined;
  /** Never more tries in any minute. Default: 6. */
  readonly attemptsPerMinute?: number | undefined;
}
