import { notAName, parseTaskName } from "./task-name.ts";

/**
 * The name of an attempt is that of its task and which try it is: `prepare~resize.12@2`. Folders and files bear it, so
 * `/` of sub-workflows is `~`, which no task's name has.
 */
export interface AttemptName {
  readonly task: string;
  /** From 1. */
  readonly number: number;
}

const NUMBER = /^[1-9][0-9]{0,14}$/;

/** Throws where the task's name is none, or the number: what it made could not be read again. */
export function attemptName(task: string, number: number): string {
  if (parseTaskName(task) === undefined) throw notAName("task", task);
  const name = `${task.replaceAll("/", "~")}@${number}`;
  if (!NUMBER.test(String(number))) throw notAName("attempt", name);
  return name;
}

/** Undefined for what is not the name of an attempt. */
export function parseAttemptName(text: string): AttemptName | undefined {
  const at = text.indexOf("@");
  const number = text.slice(at + 1);
  if (at < 0 || text.includes("/") || !NUMBER.test(number)) return undefined;
  const task = text.slice(0, at).replaceAll("~", "/");
  return parseTaskName(task) === undefined ? undefined : { task, number: Number(number) };
}

export function taskOfAttempt(attempt: string): string {
  return parsed(attempt).task;
}

export function numberOfAttempt(attempt: string): number {
  return parsed(attempt).number;
}

function parsed(attempt: string): AttemptName {
  const name = parseAttemptName(attempt);
  if (name === undefined) throw notAName("attempt", attempt);
  return name;
}
