import { LOCAL_SITE } from "@wf/site";
import { localTransport } from "@wf/transport";
import { expect, test } from "vitest";
import { diagnose } from "../diagnosis.ts";
import { checkClock } from "./login.ts";

const place = {
  site: LOCAL_SITE,
  storage: "/",
  python: "python3",
  transport: localTransport(),
  signal: new AbortController().signal,
};
const HOUR_MS = 3_600_000;

test("clocks that agree", async () => {
  expect(await diagnose(checkClock(place))).toMatchObject({ health: "ok" });
});

test.each([
  ["behind", HOUR_MS, /^(59m 59s|1h 00m) behind this machine's/],
  ["ahead of", -HOUR_MS, /^(59m 59s|1h 00m) ahead of this machine's/],
])("a cluster whose clock is %s ours", async (_, aheadMs, says) => {
  const diagnosis = await diagnose(checkClock(place, () => Date.now() + aheadMs));
  expect(diagnosis).toMatchObject({ health: "warn", says: expect.stringMatching(says) });
});
