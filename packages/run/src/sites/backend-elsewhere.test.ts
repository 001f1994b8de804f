import type { BackendEvent } from "@wf/backend";
import { WfError } from "@wf/protocol";
import { expect, test } from "vitest";
import { BackendElsewhere, type ElsewhereOptions } from "./backend-elsewhere.ts";

const finished = (attempt: string): BackendEvent => ({
  type: "finished",
  attempt,
  record: { attempt, state: "succeeded", outputs: {} } as never,
  isProvisional: true,
});

/** A site whose content takes as long to come as the test wants. */
function elsewhere() {
  const heard: string[] = [];
  let tell: (event: BackendEvent) => void = () => undefined;
  let letCome: () => void = () => undefined;
  const coming = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  const inner = {
    open: async (onEvent: typeof tell) => {
      tell = onEvent;
    },
  };
  const content = { fetchManifests: () => coming, noteMade: () => undefined, fetch: async () => undefined };
  const backend = new BackendElsewhere({ inner, content, attempts: null } as unknown as ElsewhereOptions);
  const note = (event: BackendEvent) => {
    heard.push("attempt" in event ? `${event.type} ${event.attempt}` : event.type);
  };
  return {
    heard,
    letCome,
    tell: (event: BackendEvent) => tell(event),
    open: () => backend.open(note, new AbortController().signal),
  };
}

test("what is said of an end is told after it, however long its content takes to come", async () => {
  const { heard, letCome, tell, open } = elsewhere();
  await open();
  tell(finished("a@1"));
  tell({ type: "confirmed", attempts: ["a@1"] });
  tell(finished("b@1"));
  tell({ type: "revoked", attempt: "b@1", record: {} as never });
  tell({ type: "started", attempt: "c@1", startedAt: 0 });
  expect(heard).toEqual(["started c@1"]);
  letCome();
  await expect.poll(() => heard.length).toBe(5);
  expect(heard).toEqual(["started c@1", "finished a@1", "confirmed", "finished b@1", "revoked b@1"]);
});

test("an artifact that nobody may follow fails the task that made it, and no other", async () => {
  const told: BackendEvent[] = [];
  let tell: (event: BackendEvent) => void = () => undefined;
  const inner = {
    open: async (onEvent: typeof tell) => {
      tell = onEvent;
    },
  };
  const isBad = (values: readonly unknown[]) => values.length > 0;
  const content = {
    fetchManifests: async (values: readonly unknown[]) => {
      if (isBad(values)) throw new WfError("WF_ARTIFACT_INVALID", "Object 0123 is not what a record says");
    },
    noteMade: () => undefined,
    fetch: async () => undefined,
  };
  const backend = new BackendElsewhere({ inner, content, attempts: null } as unknown as ElsewhereOptions);
  await backend.open((event) => told.push(event), new AbortController().signal);
  const record = { attempt: "a@1", state: "succeeded", outputs: { m: { kind: "directory" } } };
  tell({ type: "finished", attempt: "a@1", record: record as never, isProvisional: true });
  tell(finished("b@1"));
  await expect.poll(() => told.length).toBe(2);
  expect(told).toMatchObject([
    {
      type: "finished",
      attempt: "a@1",
      isProvisional: false,
      record: { failure: { class: "output-invalid" }, outputs: {} },
    },
    { type: "finished", attempt: "b@1", record: { state: "succeeded" } },
  ]);
});
