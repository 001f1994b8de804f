import { numberOfAttempt, taskOfAttempt } from "@wf/protocol";
import type { Effects, RevokedEvent, RunEvent } from "./effects.ts";
import type { Fact } from "./fact.ts";
import { revokedFact } from "./revoked-fact.ts";
import { RunMachine } from "./run-machine.ts";
import type { RunOptions } from "./run-options.ts";

export interface Advanced {
  /** The one that goes on from here. */
  readonly machine: RunMachine;
  /** Facts that are noted already. */
  readonly noted: readonly Fact[];
  readonly effects: Effects;
}

/**
 * What follows from events. Where a success is revoked from which the run has gone on, the run starts over from what the
 * store holds, as a resumed run does: what stands is recalled, what runs is adopted, and what was built on the success is
 * made again. Called inside of the transaction to which the facts belong.
 */
export function advance(
  machine: RunMachine,
  options: RunOptions,
  events: readonly RunEvent[],
  note: (fact: Fact) => void,
): Advanced {
  const heard = withVerdicts(events, machine);
  const mustRewind = (event: RunEvent): event is RevokedEvent =>
    event.type === "revoked" && machine.mustRewindFor(event.attempt);
  // A verdict may be told twice.
  const revoked = [...new Map(heard.filter(mustRewind).map((event) => [event.attempt, event])).values()];
  if (revoked.length === 0) return { machine, noted: [], effects: machine.handle(heard) };
  const noted: Fact[] = [...revoked.map(({ record }) => revokedFact(record)), { type: "run.rewound" }];
  for (const fact of noted) note(fact);
  const open = [...options.memory.openAttempts(), ...revoked.map(({ attempt }) => openAgain(attempt))];
  const untaken = machine.untaken();
  const rewound = new RunMachine(
    options,
    open.map((one) => ({
      ...one,
      isUnderWay: !untaken.unsubmitted.has(one.attempt),
      isInherited: machine.isInherited(one.attempt),
    })),
    true,
  );
  const ends = heard.map((event) => (mustRewind(event) ? { ...event, type: "finished" as const } : event));
  const effects = rewound.handle([...untaken.ends, ...ends]);
  return { machine: rewound, noted, effects };
}

function openAgain(attempt: string) {
  return { task: taskOfAttempt(attempt), attempt, number: numberOfAttempt(attempt) };
}

/**
 * A verdict that comes together with the success that it is about is told as one; not where the run has the success
 * already, which an adopted attempt tells again.
 */
function withVerdicts(events: readonly RunEvent[], machine: RunMachine): readonly RunEvent[] {
  const verdicts = new Map<string, RunEvent>();
  for (const event of events) {
    if (event.type === "revoked") verdicts.set(event.attempt, event);
    if (event.type === "confirmed") for (const attempt of event.attempts) verdicts.set(attempt, event);
  }
  if (verdicts.size === 0) return events;
  const settled = new Set<string>();
  const told = events.map((event): RunEvent => {
    if (event.type !== "finished" || !event.isProvisional || machine.isProvisional(event.attempt)) return event;
    const verdict = verdicts.get(event.attempt);
    if (verdict === undefined) return event;
    settled.add(event.attempt);
    return { ...event, isProvisional: false, ...(verdict.type === "revoked" ? { record: verdict.record } : {}) };
  });
  return told.filter((event) => event.type !== "revoked" || !settled.has(event.attempt));
}
