/** What the ad of a job said of it at an event, as far as it was asked for with `job_ad_information_attrs`. */
export interface JobInformation {
  /** By which a restarted wf finds the job again. */
  readonly token: string | null;
  readonly queuedAt: number | null;
  /** When the execution began that runs, or ran last. */
  readonly startedAt: number | null;
  /** How often it has been started; at a `started` event, before that one. */
  readonly starts: number | null;
  readonly shadowStarts: number | null;
  readonly slot: string | null;
  /** From the submit host to the machine, and back, by file transfer. */
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  readonly userSeconds: number | null;
  readonly systemSeconds: number | null;
  /** Sampled, so it may miss the peak. */
  readonly residentBytes: number | null;
}

/** Why HTCondor keeps a job from running. */
export interface Hold {
  readonly code: number;
  readonly subcode: number;
  readonly reason: string;
}

type Kind =
  | { readonly type: "submitted" }
  /** On a machine: HTCondor says so even where the program turns out not to start. */
  | { readonly type: "started"; readonly slot: string | null }
  /** It runs no more, and HTCondor would start it again. A hold or a removal of a running job begins with one, too. */
  | { readonly type: "evicted"; readonly reason: string | null }
  /** `exitCode` is null where a signal ended it. */
  | {
      readonly type: "terminated";
      readonly exitCode: number | null;
      readonly signal: number | null;
      readonly userSeconds: number | null;
      readonly systemSeconds: number | null;
      readonly bytesIn: number | null;
      readonly bytesOut: number | null;
    }
  | { readonly type: "image-size"; readonly residentBytes: number | null }
  | { readonly type: "removed"; readonly reason: string }
  | { readonly type: "held"; readonly hold: Hold }
  | { readonly type: "released"; readonly reason: string }
  /** The process on the submit host that looks after the job has failed. */
  | { readonly type: "shadow-failed"; readonly message: string }
  /** A process of HTCondor that was not on the submit host has failed, or says why the job cannot go on. */
  | { readonly type: "remote-error"; readonly message: string }
  | { readonly type: "disconnected"; readonly reason: string }
  | { readonly type: "reconnected" }
  /** The machine does not answer any more. */
  | { readonly type: "reconnect-failed"; readonly reason: string }
  | { readonly type: "transfer"; readonly stage: TransferStage }
  /** What the job's ad said at an event that is not directly before it. */
  | { readonly type: "information" }
  | { readonly type: "other"; readonly number: number; readonly name: string };

export type TransferStage =
  | "input-queued"
  | "input-started"
  | "input-finished"
  | "output-queued"
  | "output-started"
  | "output-finished"
  | "other";

/** An entry of the event log. */
export type PoolEvent = Kind & {
  /** `12.0` */
  readonly job: string;
  /** Seconds since 1970. */
  readonly at: number;
  /** The same as it stands in the log, whatever is known of the zone. */
  readonly stamp: string;
  readonly information: JobInformation | null;
};
