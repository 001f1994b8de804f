import { z } from "zod";
import type { Hold } from "./pool-event.ts";

/** What condor_q and condor_history are asked for, with `-json -attributes`. */
export const ROW_ATTRIBUTES = [
  "ClusterId",
  "ProcId",
  "WfToken",
  "JobStatus",
  "HoldReasonCode",
  "HoldReasonSubCode",
  "HoldReason",
  "RemoveReason",
  "NumJobStarts",
  "NumShadowStarts",
  "ExitBySignal",
  "ExitCode",
  "ExitSignal",
  "RemoteHost",
  "LastRemoteHost",
  "QDate",
  "JobCurrentStartDate",
  "CompletionDate",
  "EnteredCurrentStatus",
  "BytesSent",
  "BytesRecvd",
  "RemoteUserCpu",
  "RemoteSysCpu",
  "RemoteWallClockTime",
  "ResidentSetSize_RAW",
] as const;

export type RowStatus =
  | "waiting"
  | "running"
  | "removed"
  | "completed"
  | "held"
  | "sending-output"
  | "suspended"
  | "unknown";

/** A job in the queue, or in the history. */
export interface JobRow {
  /** `12.0` */
  readonly job: string;
  readonly token: string | null;
  readonly status: RowStatus;
  readonly hold: Hold | null;
  readonly removeReason: string | null;
  readonly starts: number;
  readonly shadowStarts: number;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly slot: string | null;
  readonly queuedAt: number | null;
  readonly startedAt: number | null;
  /** When it got the status that it has. */
  readonly since: number | null;
  readonly completedAt: number | null;
  readonly bytesIn: number | null;
  readonly bytesOut: number | null;
  readonly userSeconds: number | null;
  readonly systemSeconds: number | null;
  readonly wallSeconds: number | null;
  readonly residentBytes: number | null;
}

const STATUSES: readonly RowStatus[] = [
  "unknown",
  "waiting",
  "running",
  "removed",
  "completed",
  "held",
  "sending-output",
  "suspended",
];

/** What is no number, such as an expression that HTCondor has not worked out, is unknown. */
const number = z.number().nullable().catch(null).default(null);
const text = z.string().nullable().catch(null).default(null);
const Row = z.object({
  ClusterId: z.number(),
  ProcId: z.number(),
  WfToken: text,
  JobStatus: number,
  HoldReasonCode: number,
  HoldReasonSubCode: number,
  HoldReason: text,
  RemoveReason: text,
  NumJobStarts: number,
  NumShadowStarts: number,
  ExitBySignal: z.boolean().catch(false).default(false),
  ExitCode: number,
  ExitSignal: number,
  RemoteHost: text,
  LastRemoteHost: text,
  QDate: number,
  JobCurrentStartDate: number,
  CompletionDate: number,
  EnteredCurrentStatus: number,
  BytesSent: number,
  BytesRecvd: number,
  RemoteUserCpu: number,
  RemoteSysCpu: number,
  RemoteWallClockTime: number,
  ResidentSetSize_RAW: number,
} satisfies Record<(typeof ROW_ATTRIBUTES)[number], z.ZodType>);

/** Null where the command failed, or its answer is not whole: it says nothing then. No job at all may be no text at all. */
export function parseRows(result: { readonly code: number | null; readonly stdout: string }): readonly JobRow[] | null {
  if (result.code !== 0) return null;
  if (result.stdout.trim() === "") return [];
  const listed = z.array(Row).safeParse(jsonOf(result.stdout));
  return listed.success ? listed.data.map(rowOf) : null;
}

function jsonOf(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return null;
  }
}

function rowOf(row: z.infer<typeof Row>): JobRow {
  const status = STATUSES[row.JobStatus ?? 0] ?? "unknown";
  const hasExit = status === "completed";
  const hold = { code: row.HoldReasonCode ?? 0, subcode: row.HoldReasonSubCode ?? 0, reason: row.HoldReason ?? "" };
  return {
    job: `${row.ClusterId}.${row.ProcId}`,
    token: row.WfToken,
    status,
    hold: status === "held" ? hold : null,
    removeReason: row.RemoveReason,
    starts: row.NumJobStarts ?? 0,
    shadowStarts: row.NumShadowStarts ?? 0,
    exitCode: hasExit && !row.ExitBySignal ? row.ExitCode : null,
    signal: hasExit && row.ExitBySignal ? row.ExitSignal : null,
    slot: row.RemoteHost ?? row.LastRemoteHost,
    queuedAt: row.QDate,
    startedAt: row.JobCurrentStartDate,
    since: row.EnteredCurrentStatus,
    completedAt: row.CompletionDate === 0 ? null : row.CompletionDate,
    bytesIn: row.BytesRecvd,
    bytesOut: row.BytesSent,
    userSeconds: row.RemoteUserCpu,
    systemSeconds: row.RemoteSysCpu,
    wallSeconds: row.RemoteWallClockTime,
    residentBytes: row.ResidentSetSize_RAW === null ? null : row.ResidentSetSize_RAW * 1024,
  };
}
