import { hostname, userInfo } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, WfError } from "@wf/protocol";
import { type Lease, machineOf, type Store } from "@wf/store";
import type { CancelOptions } from "../command-options.ts";
import { isUnderWay, runState } from "../looking/run-state.ts";
import { withStore } from "../looking/with-store.ts";
import { printJson, printLines, type Screen, screenOf } from "../screen.ts";

const LOOK_MS = 200;
const PATIENCE_MS = 10_000;

/** Asks the process that runs a run to stop it: at once, or with `--drain` when what runs now has finished. */
export async function cancel(
  run: string | undefined,
  options: CancelOptions,
  screen: Screen = screenOf(process.stdout, options),
): Promise<number> {
  return withStore(
    options,
    async (store) => {
      const name = store.findRun(run ?? "last");
      const owner = ownerOf(store, name);
      const kind = options.drain ? "drain" : "cancel";
      store.ask(name, kind, `${userInfo().username}@${hostname()}`);
      const status = kind === "cancel" ? await waitForEnd(store, name) : store.run(name).status;
      if (options.json) printJson(screen, { run: name, asked: kind, owner, status });
      else
        printLines(screen, [
          answer(name, kind, owner, isUnderWay(status)),
          `  ${screen.colours.gray("next")}  ${nextStep(name, isUnderWay(status))}`,
        ]);
      return EXIT.ok;
    },
    { isReadonly: false },
  );
}

/** The living owner, or an error that says why there is none and what to type. */
function ownerOf(store: Store, run: string): Lease {
  const { status } = store.run(run);
  const { owner } = runState(store, run, status);
  if (owner?.alive === true) return owner;
  if (!isUnderWay(status)) {
    throw new WfError("WF_USAGE", `${run} is over: ${status}`, { hint: `wf show ${run}` });
  }
  const who =
    owner === undefined ? "nobody runs it" : `process ${owner.pid} on ${machineOf(owner)}, which ran it, is gone`;
  throw new WfError("WF_USAGE", `${run} cannot be cancelled: ${who}`, {
    hint: `tasks that it started end by themselves. To go on: wf resume ${run}`,
  });
}

async function waitForEnd(store: Store, run: string): Promise<ReturnType<Store["run"]>["status"]> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { status } = store.run(run);
    if (!isUnderWay(status) || performance.now() > deadline) return status;
    await sleep(LOOK_MS);
  }
}

function answer(run: string, kind: "cancel" | "drain", { pid, host }: Lease, isStillUnderWay: boolean): string {
  if (!isStillUnderWay) return `${run} was cancelled`;
  const wish = kind === "drain" ? "stop when what runs now has finished" : "cancel it";
  return `process ${pid} on ${host} was asked to ${wish}`;
}

function nextStep(run: string, isStillUnderWay: boolean): string {
  return isStillUnderWay ? `wf status ${run} --follow` : `wf resume ${run}`;
}
