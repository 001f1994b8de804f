import { type ClassAd, flagOf, numberOf, textOf } from "./class-ad.ts";
import { parseEventTime, utcOffsetFrom } from "./event-time.ts";
import { parseClassAds } from "./parse-class-ads.ts";
import type { JobInformation, PoolEvent, TransferStage } from "./pool-event.ts";
import { parseUsage } from "./usage-text.ts";

/** What has to be in the ad of a job for `JobInformation`, and for the zone of the log's times. */
export const INFORMATION_ATTRIBUTES = [
  "WfToken",
  "QDate",
  "EnteredCurrentStatus",
  "JobCurrentStartDate",
  "NumJobStarts",
  "NumShadowStarts",
  "RemoteHost",
  "LastRemoteHost",
  "BytesSent",
  "BytesRecvd",
  "RemoteUserCpu",
  "RemoteSysCpu",
  "ResidentSetSize_RAW",
] as const;

export interface ParsedEvents {
  readonly events: readonly PoolEvent[];
  /** The beginning of an event that is not whole yet, to stand before what comes next. */
  readonly rest: string;
  /** Of the submit host, as far as it is known: to be handed in with what comes next. */
  readonly utcOffsetSeconds: number;
}

const INFORMATION = 28;
const KIB = 1024;

/** The event log of jobs with `log_xml = True`. What was cut off at either end is left out. */
export function parseEvents(text: string, knownUtcOffsetSeconds?: number): ParsedEvents {
  const { ads, rest } = parseClassAds(text);
  let offset = knownUtcOffsetSeconds ?? firstOffset(ads) ?? 0;
  const events: PoolEvent[] = [];
  let trigger: ClassAd | null = null;
  for (const ad of ads) {
    const job = jobOf(ad);
    const stamp = textOf(ad, "EventTime") ?? "";
    const time = parseEventTime(stamp);
    if (job === null || time === null) continue;
    offset = offsetOf(ad) ?? offset;
    const at = time.seconds - (time.hasZone ? 0 : offset);
    const last = events.at(-1);
    if (numberOf(ad, "EventTypeNumber") !== INFORMATION) {
      events.push({ ...kindOf(ad), job, at, stamp, information: null });
      trigger = ad;
    } else if (last !== undefined && trigger !== null && isAbout(ad, trigger)) {
      // Its own ad says for sure in which zone its time is.
      events[events.length - 1] = { ...last, at, information: informationOf(ad) };
      trigger = null;
    } else {
      events.push({ type: "information", job, at, stamp, information: informationOf(ad) });
    }
  }
  return { events, rest, utcOffsetSeconds: offset };
}

function jobOf(ad: ClassAd): string | null {
  const cluster = numberOf(ad, "Cluster");
  const proc = numberOf(ad, "Proc");
  return cluster === null || proc === null ? null : `${cluster}.${proc}`;
}

/** Known from moments that lie directly before the event: the job has just got the state that it tells of. */
function offsetOf(ad: ClassAd): number | null {
  if (numberOf(ad, "EventTypeNumber") !== INFORMATION) return null;
  const time = parseEventTime(textOf(ad, "EventTime") ?? "");
  const since = numberOf(ad, SINCE[numberOf(ad, "TriggerEventTypeNumber") ?? -1] ?? "");
  return time === null || time.hasZone || since === null ? null : utcOffsetFrom(time.seconds, since);
}

const SINCE: Readonly<Record<number, string>> = { 0: "QDate", 12: "EnteredCurrentStatus", 13: "EnteredCurrentStatus" };

function firstOffset(ads: readonly ClassAd[]): number | null {
  for (const ad of ads) {
    const offset = offsetOf(ad);
    if (offset !== null) return offset;
  }
  return null;
}

function isAbout(information: ClassAd, trigger: ClassAd): boolean {
  return (
    jobOf(information) === jobOf(trigger) &&
    numberOf(information, "TriggerEventTypeNumber") === numberOf(trigger, "EventTypeNumber")
  );
}

function informationOf(ad: ClassAd): JobInformation {
  return {
    token: textOf(ad, "WfToken"),
    queuedAt: numberOf(ad, "QDate"),
    startedAt: numberOf(ad, "JobCurrentStartDate"),
    starts: numberOf(ad, "NumJobStarts"),
    shadowStarts: numberOf(ad, "NumShadowStarts"),
    slot: textOf(ad, "RemoteHost") ?? textOf(ad, "LastRemoteHost"),
    bytesIn: numberOf(ad, "BytesRecvd"),
    bytesOut: numberOf(ad, "BytesSent"),
    userSeconds: numberOf(ad, "RemoteUserCpu"),
    systemSeconds: numberOf(ad, "RemoteSysCpu"),
    residentBytes: bytesOf(ad, "ResidentSetSize_RAW"),
  };
}

function bytesOf(ad: ClassAd, name: string): number | null {
  const kib = numberOf(ad, name);
  return kib === null ? null : kib * KIB;
}

type Kind = PoolEvent extends infer Event
  ? Event extends PoolEvent
    ? Omit<Event, "job" | "at" | "stamp" | "information">
    : never
  : never;

function kindOf(ad: ClassAd): Kind {
  const number = numberOf(ad, "EventTypeNumber") ?? -1;
  const words = (name: string) => textOf(ad, name) ?? "";
  switch (number) {
    case 0:
      return { type: "submitted" };
    case 1:
      return { type: "started", slot: textOf(ad, "SlotName") };
    case 4:
      return { type: "evicted", reason: textOf(ad, "Reason") };
    case 5:
      return terminated(ad);
    case 6:
      return { type: "image-size", residentBytes: bytesOf(ad, "ResidentSetSize") };
    case 7:
      return { type: "shadow-failed", message: words("Message") };
    case 9:
      return { type: "removed", reason: words("Reason") };
    case 12: {
      const code = numberOf(ad, "HoldReasonCode") ?? 0;
      const subcode = numberOf(ad, "HoldReasonSubCode") ?? 0;
      return { type: "held", hold: { code, subcode, reason: words("HoldReason") } };
    }
    case 13:
      return { type: "released", reason: words("Reason") };
    case 21:
      return { type: "remote-error", message: words("ErrorMsg") };
    case 22:
      return { type: "disconnected", reason: words("DisconnectReason") };
    case 23:
      return { type: "reconnected" };
    case 24:
      return { type: "reconnect-failed", reason: words("Reason") };
    case 40:
      return { type: "transfer", stage: STAGES[numberOf(ad, "Type") ?? 0] ?? "other" };
    default:
      return { type: "other", number, name: words("MyType") };
  }
}

const STAGES: readonly TransferStage[] = [
  "other",
  "input-queued",
  "input-started",
  "input-finished",
  "output-queued",
  "output-started",
  "output-finished",
];

function terminated(ad: ClassAd): Kind {
  const isNormal = flagOf(ad, "TerminatedNormally") ?? true;
  const usage = parseUsage(textOf(ad, "TotalRemoteUsage") ?? "");
  return {
    type: "terminated",
    exitCode: isNormal ? numberOf(ad, "ReturnValue") : null,
    signal: isNormal ? null : numberOf(ad, "TerminatedBySignal"),
    userSeconds: usage?.userSeconds ?? null,
    systemSeconds: usage?.systemSeconds ?? null,
    bytesIn: numberOf(ad, "TotalReceivedBytes"),
    bytesOut: numberOf(ad, "TotalSentBytes"),
  };
}
