export interface PollSchedule {
  readonly everyMs: number;
  readonly atMostMs: number;
}

/**
 * When the queue is asked again: soon while something happens, twice as late after every time that nothing did. What is
 * in doubt is not left so.
 */
export function nextPollMs({ everyMs, atMostMs }: PollSchedule, quietPolls: number, isInDoubt: boolean): number {
  return isInDoubt ? everyMs : Math.min(atMostMs, everyMs * 2 ** quietPolls);
}
