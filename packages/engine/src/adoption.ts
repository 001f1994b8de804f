import type { Adoption } from "@wf/backend";
import { type TaskRecord, unmeasuredRecord } from "@wf/protocol";
import type { RunEvent } from "./effects.ts";
import type { OpenAttempt } from "./ports.ts";
import type { TaskState } from "./task-life.ts";

/** An attempt of an earlier engine: its end will be told, or it has to be handed over again under the same name. */
export interface AdoptedAttempt extends OpenAttempt {
  readonly isUnderWay: boolean;
  /** Another engine's, not one that this engine had handed over before it was rewound. */
  readonly isInherited: boolean;
}

/**
 * What a run takes over, given what became of it. Of a lost attempt nobody will tell, and its name is used up, so its
 * end is said here. An attempt without a fate was never the backend's.
 */
export function adoptAttempts(
  open: readonly OpenAttempt[],
  fates: ReadonlyMap<string, Adoption>,
  { run, host, nowMs }: { readonly run: string; readonly host: string; readonly nowMs: number },
): { readonly adopted: readonly AdoptedAttempt[]; readonly events: readonly RunEvent[] } {
  const failure = { class: "lost" as const, message: "it died together with what ran it" };
  const at = { startedAt: nowMs / 1000, endedAt: nowMs / 1000 };
  return {
    adopted: open.map((attempt) => {
      const fate = fates.get(attempt.attempt);
      return { ...attempt, isUnderWay: fate !== undefined && fate !== "never-submitted", isInherited: true };
    }),
    events: open
      .filter(({ attempt }) => fates.get(attempt) === "lost")
      .map(({ task, attempt }) => ({
        type: "finished",
        attempt,
        nowMs,
        record: unmeasuredRecord({ run, job: `job-${attempt}`, task, attempt, host, ...at }, failure),
      })),
  };
}

/** Of an attempt of an earlier engine: somebody had asked for its end, or has made room since. */
export function isWorthAnother(state: TaskState["name"], { failure }: TaskRecord): boolean {
  return state === "cancelled" || failure?.class === "disk-full";
}
