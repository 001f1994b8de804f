import { type LedgerLine, taskOf } from "./ledger.ts";

/** What the store says of an attempt. */
export interface StoredAttempt {
  readonly run: string;
  readonly attempt: string;
  readonly number: number;
  readonly state: string;
}

export interface LedgerCase {
  readonly lines: readonly LedgerLine[];
  readonly attempts: readonly StoredAttempt[];
  /** What the tasks of the workflow call themselves. */
  readonly tasks: readonly string[];
  /** Whether something was done that can end a task. */
  readonly couldEndTasks: boolean;
  /** Whether a task may live on where its node is given up: its folder is its own, and it publishes nothing. */
  readonly mayLiveOn: boolean;
}

/** Laws that the tasks themselves bear witness to. Returns what breaks them. */
export function brokenInLedger({ lines, attempts, tasks, couldEndTasks, mayLiveOn }: LedgerCase): readonly string[] {
  const broken: string[] = [];
  const stored = new Map(attempts.map((attempt) => [`${attempt.run} ${attempt.attempt}`, attempt]));
  const startsOfTask = new Map<string, LedgerLine[]>();
  const started = new Set<string>();
  for (const line of lines) {
    const [attempt, task] = [`${line.run} ${line.attempt}`, `${line.run} ${taskOf(line.attempt)}`];
    const starts = startsOfTask.get(task) ?? [];
    startsOfTask.set(task, starts);
    if (line.event === "end") {
      const latest = starts.at(-1)?.attempt;
      if (!mayLiveOn && latest !== undefined && latest !== line.attempt)
        broken.push(`${attempt} still ran when ${latest} had started`);
      continue;
    }
    if (started.has(attempt)) broken.push(`${attempt} was started twice`);
    started.add(attempt);
    starts.push(line);
    if (!stored.has(attempt)) broken.push(`${attempt} ran, and the store does not know it`);
  }
  for (const [task, starts] of startsOfTask) {
    const done = starts.findIndex(({ run, attempt }) => stored.get(`${run} ${attempt}`)?.state === "succeeded");
    if (done >= 0 && done < starts.length - 1) broken.push(`${task} had succeeded and was started again`);
    if (starts.length > 1 && !couldEndTasks)
      broken.push(`${task} was started ${starts.length} times, and nothing had ended it`);
  }
  const names = new Set(lines.map(({ name }) => name));
  for (const name of tasks) if (!names.has(name)) broken.push(`${name} never ran`);
  for (const name of names) if (!tasks.includes(name)) broken.push(`${name} ran, and is no task of the workflow`);
  return broken;
}
