/**
 * Why a job does not run yet.
 * - `resources`: others are before it, or nothing is free. It will run.
 * - `limits`: what the user, the account or the array may have at once is in use. It will run when some of that ends.
 * - `nodes`: what it needs is down, drained or reserved. It will run when that comes back.
 * - `later`: it waits for a time, or for another job.
 * - `held`: somebody has to release it.
 * - `never`: it asks for what it can never get here.
 */
export type Waiting = "resources" | "limits" | "nodes" | "later" | "held" | "never" | "unknown";

/** The first that fits is meant. */
const REASONS: readonly (readonly [reason: RegExp, waiting: Waiting])[] = [
  [/held|^SpecialExit|^JobHoldMaxRequeue/i, "held"],
  [/^(PartitionConfig|PartitionNodeLimit|PartitionTimeLimit|BadConstraints|DependencyNeverSatisfied)$/, "never"],
  [/^(MaxMemPerLimit|ReservationDeleted|DeadLine|InvalidAccount|InvalidQOS)$/, "never"],
  [/^(AccountNotAllowed|QOSNotAllowed)$|not permitted/i, "never"],
  [/^(Assoc|QOS)Max\w+Per(Job|Node)(Limit)?$|^QOSMin/, "never"],
  [/^(Assoc|QOS)\w+|^Max\w+PerAccount|^JobArrayTaskLimit|^AccountingPolicy/, "limits"],
  [/^Partition(Down|Inactive)|^ReqNodeNotAvail|^Nodes? ?(Down|required)|^NodeDown|^FrontEndDown/, "nodes"],
  [/^(Reservation|SchedDefer|PowerNotAvail|PowerReserved)/, "nodes"],
  [/^(BeginTime|Dependency|Cleaning|Prolog|BurstBuffer\w*|FedJobLock|HetJob)/, "later"],
  [/^(None|Resources|Priority|Licenses)$/, "resources"],
];

/** Reasons may hold spaces, commas and parentheses: they are words for people. */
export function classifyReason(reason: string): Waiting {
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? "unknown";
}
