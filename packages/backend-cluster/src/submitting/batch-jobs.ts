export interface Batching<Job> {
  /** Jobs of the same likeness may share an array. */
  likeness(job: Job): string;
  /** A job that was tried before goes alone: it may need other things than its siblings. */
  isRetry(job: Job): boolean;
  /** The most elements of one array. */
  readonly largest: number;
}

/** Puts jobs that became ready together into as few submissions as possible. Each job is in one of them, in order. */
export function batchJobs<Job>(jobs: readonly Job[], batching: Batching<Job>): readonly (readonly Job[])[] {
  const open = new Map<string, Job[]>();
  const batches: Job[][] = [];
  for (const job of jobs) {
    const likeness = batching.likeness(job);
    const batch = batching.isRetry(job) ? undefined : open.get(likeness);
    if (batch !== undefined && batch.length < batching.largest) {
      batch.push(job);
      continue;
    }
    const started = [job];
    batches.push(started);
    if (!batching.isRetry(job)) open.set(likeness, started);
  }
  return batches;
}
