export interface PollSchedule {
  readonly everyMs: number;
  readonly atMostMs: number;
}

/**
 * When the queue is asked again: soon after something new was submitted or has ended without a record, twice as late
 * after every answer that told nothing of the kind, since records tell of the rest. What is in doubt is not left so.
 */
export function nextPollMs({ everyMs, atMostMs }: PollSchedule, quietPolls: number, isInDoubt: boolean): number {
  return isInDoubt ? everyMs : Math.min(atMostMs, everyMs * 2 ** quietPolls);
}
