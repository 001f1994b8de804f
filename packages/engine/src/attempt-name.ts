/** A folder's name: the task, with `/` of sub-workflows replaced, and which try it is. */
export function attemptName(task: string, number: number): string {
  return `${task.replaceAll("/", "~")}@${number}`;
}

export function taskOfAttempt(attempt: string): string {
  return attempt.slice(0, attempt.lastIndexOf("@")).replaceAll("~", "/");
}

export function numberOfAttempt(attempt: string): number {
  return Number(attempt.slice(attempt.lastIndexOf("@") + 1));
}
