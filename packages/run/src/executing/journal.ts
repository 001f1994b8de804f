import type { ObjectStore } from "@wf/data";
import type { Fact, Journal } from "@wf/engine";
import type { Json } from "@wf/protocol";
import type { RunJournal } from "@wf/store";
import { keepValue } from "../planning/value-ops.ts";

/** Writes the engine's facts to the store, each to its table, and those that tell a run's story to the events too. */
export function journalOf(run: RunJournal, objects: ObjectStore): Journal {
  return {
    atomically: (work) => run.atomically(work),
    note: (fact) => note(run, objects, fact),
  };
}

function note(run: RunJournal, objects: ObjectStore, fact: Fact): void {
  switch (fact.type) {
    case "expanded":
      run.expanded({ node: fact.node, path: fact.index, count: fact.count, source: fact.source });
      run.event(fact.type, { node: fact.node, index: [...fact.index], count: fact.count });
      return;
    case "task.ready":
      run.taskReady({
        ...fact,
        inputs: fact.inputs.map((input) => ({
          ...input,
          value: keepValue(objects, input.value),
          origins: input.origins.map((origin) => keepValue(objects, origin)),
        })),
      });
      return;
    case "runtime.preparing":
      return;
    case "runtime.ready": {
      const { runtime, how, interpreter, python, packages, seconds } = fact;
      run.event(fact.type, { runtime, how, interpreter, python, packages, seconds });
      return;
    }
    case "job.submitted":
      run.jobSubmitted({
        job: fact.job,
        kind: "compute",
        tasks: fact.tasks.length,
        resources: fact.resources as unknown as Json,
      });
      return;
    case "attempt.submitted":
      run.attemptSubmitted(fact);
      run.event(fact.type, { attempt: fact.attempt });
      return;
    case "attempts.queued":
      for (const queued of fact.attempts) run.attemptQueued(queued);
      return;
    case "attempt.started":
      run.attemptStarted(fact);
      return;
    case "attempts.held":
      run.event(fact.type, {
        attempts: fact.attempts.map(({ attempt }) => attempt),
        queueJob: fact.queueJob,
        reason: fact.reason,
      });
      return;
    case "attempt.finished":
      run.attemptFinished(fact.record);
      run.event(fact.type, { attempt: fact.record.attempt, state: fact.record.state });
      return;
    case "task.retry":
      run.event(fact.type, {
        task: fact.task,
        attempt: fact.attempt,
        failure: fact.failure,
        inSeconds: fact.inSeconds,
      });
      return;
    case "task.unreached":
      run.event(fact.type, { task: fact.task, attempt: fact.attempt });
      return;
    case "task.sliced":
      run.event(fact.type, {
        task: fact.task,
        attempt: fact.attempt,
        failure: fact.failure,
        slice: fact.slice,
      });
      return;
    case "task.ended":
      if (fact.replayed) return;
      run.taskEnded(fact as never);
      if (fact.state === "done" && fact.key) run.remember(fact.key, { task: fact.task });
      if (fact.provisional !== undefined) run.provisional(fact.task, fact.provisional);
      run.event(fact.type, { task: fact.task, state: fact.state });
      return;
    case "run.stopping":
      run.event(fact.type, { how: fact.how, why: fact.why });
      return;
    case "attempts.confirmed":
      for (const { task, attempt } of fact.attempts) run.confirmed(task, attempt);
      return;
    case "task.revoked": {
      const { attempt, failure } = fact.record;
      run.revoked(fact.task, fact.record);
      run.event(fact.type, { task: fact.task, attempt, failure: failure?.class ?? null });
      return;
    }
    case "task.upheld":
      run.upheld(fact.task);
      return;
    case "task.outdated":
      run.outdated(fact.task);
      run.event(fact.type, { task: fact.task });
      return;
    case "attempt.dropped":
      run.attemptDropped(fact.task, fact.attempt);
      run.event(fact.type, { attempt: fact.attempt });
      return;
    case "run.rewound":
    case "run.confirming":
      return;
    case "run.broken":
      run.event(fact.type, { node: fact.node, code: fact.code, message: fact.message });
      return;
  }
}
