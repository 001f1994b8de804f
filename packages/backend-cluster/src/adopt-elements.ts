import type { Adoption } from "@wf/backend";
import { adoptedElement, type Element } from "./element.ts";
import type { LookReply } from "./login-node.ts";

/** What an earlier engine had handed over, put together from what lies on the storage. */
export function adoptElements(
  attempts: readonly string[],
  looked: LookReply,
  jobName: (id: string, index: number, siblings: number) => string,
): readonly Element[] {
  const elements = new Map<string, Element>();
  for (const attempt of attempts) {
    const { token, index = 0 } = looked.attempts[attempt] ?? {};
    const submission = token === undefined ? undefined : looked.submissions[token];
    const entry = submission?.elements[index];
    const key = entry === undefined ? attempt : `${token}/${index}`;
    const element = elements.get(key) ?? newElement();
    element.unfinished.add(attempt);
    elements.set(key, element);

    function newElement(): Element {
      if (submission === undefined || entry === undefined) {
        return adoptedElement({ job: "", tasks: [] }, { token: null, index: 0, siblings: 1, taken: null });
      }
      const { id, elements: all } = submission;
      const taken = id === null ? null : { id, job: jobName(id, index, all.length) };
      return adoptedElement(entry, { token: token as string, index, siblings: all.length, taken });
    }
  }
  return [...elements.values()];
}

/** What became of an attempt. Of submissions only those count that the scheduler has got. */
export function fateOf(attempt: string, looked: LookReply, hasPilots: boolean): Adoption {
  const { isRecorded = false, token } = looked.attempts[attempt] ?? {};
  if (isRecorded) return "finished";
  if (hasPilots && isInMailbox(attempt, looked)) return "running";
  return token !== undefined && token in looked.submissions ? "running" : "never-submitted";
}

/** A pilot has it, or will have it. */
export function isInMailbox(attempt: string, looked: LookReply): boolean {
  const { isRecorded = false, isMailed = false } = looked.attempts[attempt] ?? {};
  return isMailed && !isRecorded;
}
