import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withPatience } from "./with-patience.ts";

const nothing = new EventTarget();
const waits = (patience: AbortSignal) => once(nothing, "never", { signal: patience });

test("what takes too long is ended, however often garbage is collected meanwhile", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const collecting = setInterval(collectGarbage, 10);
  try {
    await expect(withPatience(200, new AbortController().signal, waits)).rejects.toMatchObject({
      cause: { name: "TimeoutError" },
    });
  } finally {
    clearInterval(collecting);
  }
});

test("it is ended with the reason of its caller, and is not begun if that came before", async () => {
  const caller = new AbortController();
  const ended = withPatience(600_000, caller.signal, waits);
  caller.abort(new Error("enough"));
  await expect(ended).rejects.toMatchObject({ cause: { message: "enough" } });
  await expect(withPatience(600_000, caller.signal, waits)).rejects.toThrow("enough");
});

test("what comes in time is given back", async () => {
  await expect(withPatience(600_000, new AbortController().signal, async () => "here")).resolves.toBe("here");
});
