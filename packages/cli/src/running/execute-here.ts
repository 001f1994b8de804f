import { EXIT } from "@wf/protocol";
import { executeRun, RunControl, type RunEnd, type StartedRun } from "@wf/run";
import { askOnTerminal } from "@wf/transport";
import { type RunView, showIn } from "../view/run-view.ts";

const EXIT_CODES: Readonly<Record<RunEnd, number>> = {
  succeeded: EXIT.ok,
  failed: EXIT.runFailed,
  cancelled: EXIT.cancelled,
  stopped: EXIT.cancelled,
};
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs in this process, in front of a person, and returns the exit code. The first signal lets what runs finish, the
 * second ends it; before the run has begun, one ends the process.
 */
export async function executeHere(started: StartedRun, view: RunView): Promise<number> {
  const control = new RunControl();
  let isDraining = false;
  const onSignal = () => {
    if (isDraining) control.cancel();
    else control.drain();
    isDraining = true;
  };
  const show = showIn(view);
  try {
    const { status } = await executeRun(started, {
      onEvent: (event) => {
        if (event.type === "run.started") for (const signal of SIGNALS) process.on(signal, onSignal);
        show(event);
      },
      control,
      ask: askOnTerminal,
    });
    return EXIT_CODES[status];
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
