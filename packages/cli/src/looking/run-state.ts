import type { Lease, RunStatus, Store } from "@wf/store";
import type { Colours, Paint } from "../format/colour.ts";

/** `interrupted`: it was running, and the process that ran it is gone. */
export type ShownStatus = RunStatus | "interrupted";

export interface RunState {
  readonly status: ShownStatus;
  /** Who runs it, or did until it died. */
  readonly owner: Lease | undefined;
}

export function runState(store: Store, run: string, status: RunStatus): RunState {
  if (status !== "running" && status !== "created") return { status, owner: undefined };
  const owner = store.lease(run);
  return { status: owner?.alive === true ? status : "interrupted", owner };
}

export function isUnderWay(status: ShownStatus): boolean {
  return status === "running" || status === "created";
}

export function statusPaint(status: ShownStatus, colours: Colours): Paint {
  switch (status) {
    case "succeeded":
      return colours.green;
    case "failed":
      return colours.red;
    case "created":
      return colours.gray;
    case "running":
    case "cancelled":
    case "stopped":
    case "interrupted":
      return colours.yellow;
  }
}
