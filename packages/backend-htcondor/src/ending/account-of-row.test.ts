import { expect, test } from "vitest";
import { parseRows } from "../parsing/parse-rows.ts";
import { recording } from "../testing/recording.ts";
import { accountOfRow } from "./account-of-row.ts";

const account = (name: string) => accountOfRow((parseRows(recording(`${name}.condor_history`)) ?? [])[0] as never);

test("what HTCondor says of a job that worked", () => {
  const used = account("used");
  expect(used).toMatchObject({ state: "exit 0", nodes: expect.stringMatching(/^slot1_\d@submit\.example\.org$/) });
  expect(account("transferred")).toMatchObject({ receivedBytes: expect.any(Number), sentBytes: 5004, starts: 1 });
  expect(used.wallSeconds).toBeGreaterThanOrEqual(6);
  expect(used.cpuSeconds).toBeGreaterThanOrEqual(1);
  expect(used.peakMemoryBytes).toBeGreaterThan(40e6);
  expect(used.waitSeconds).toBeGreaterThanOrEqual(0);
});

test("how it ended, in short", () => {
  expect(account("failed").state).toBe("exit 5");
  expect(account("signal").state).toBe("signal 9");
  expect(account("removed-by-hand").state).toBe("removed: via condor_rm (by user condortest)");
  expect(account("removed-waiting")).toMatchObject({ waitSeconds: null, nodes: null });
});
