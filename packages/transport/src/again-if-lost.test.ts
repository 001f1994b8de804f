import { WfError } from "@wf/protocol";
import { expect, it } from "vitest";
import { againIfLost } from "./again-if-lost.ts";

const lost = () => new WfError("WF_SSH_LOST", "The connection was cut");

/** Fails so often, and then answers. */
function failing(times: number, error: () => Error) {
  const work = async () => {
    work.calls += 1;
    if (work.calls <= times) throw error();
    return "done";
  };
  work.calls = 0;
  return work;
}

const { signal } = new AbortController();

it("does again what a cut connection has ended, five times at most", async () => {
  const soon = failing(4, lost);
  expect(await againIfLost(signal, soon)).toBe("done");
  const never = failing(1000, lost);
  await expect(againIfLost(signal, never)).rejects.toMatchObject({ code: "WF_SSH_LOST" });
  expect([soon.calls, never.calls]).toEqual([5, 5]);
});

it("does nothing again that failed for another reason, or that nobody wants any more", async () => {
  const refused = failing(1, () => new WfError("WF_SITE_COMMAND", "No"));
  await expect(againIfLost(signal, refused)).rejects.toMatchObject({ code: "WF_SITE_COMMAND" });
  const unwanted = failing(1, lost);
  await expect(againIfLost(AbortSignal.abort(), unwanted)).rejects.toMatchObject({ code: "WF_SSH_LOST" });
  expect([refused.calls, unwanted.calls]).toEqual([1, 1]);
});
