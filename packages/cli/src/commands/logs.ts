import { EXIT } from "@wf/protocol";
import type { LogsOptions } from "../command-options.ts";
import { attemptToShow } from "../looking/attempt-to-show.ts";
import { followLogs } from "../looking/follow-logs.ts";
import { withLogsElsewhere } from "../looking/logs-elsewhere.ts";
import { printLog, type StreamName } from "../looking/print-log.ts";
import { withStore } from "../looking/with-store.ts";
import { type Screen, screenOf } from "../screen.ts";

/** What a task printed. One stream alone comes as it is, byte for byte; both come under a heading each. */
export async function logs(
  run: string | undefined,
  task: string,
  options: LogsOptions,
  screen: Screen = screenOf(process.stdout, options),
  notes: Screen = screenOf(process.stderr, options),
): Promise<number> {
  return withStore(options, async (store) => {
    const name = store.findRun(run ?? "last");
    const streams: StreamName[] =
      options.stdout && !options.stderr
        ? ["stdout"]
        : options.stderr && !options.stdout
          ? ["stderr"]
          : ["stdout", "stderr"];
    const shown = attemptToShow(store, name, task, options.attempt, options.rank);
    const note = (text: string) => notes.write(`${notes.colours.gray(text)}\n`);
    if (shown.isCached) note(`${task} was cached: this is what ${shown.run} ${shown.task} printed`);
    const isJson = options.json ?? false;
    await withLogsElsewhere(store, shown.run, note, async (elsewhere, signal) => {
      if (options.follow) return followLogs({ store, shown, streams, screen, isJson, note, elsewhere });
      await elsewhere?.bringLogs(shown.attempt.attempt, shown.rank, signal);
      if (printLog(store.folder, shown, streams, screen, isJson)) return;
      const who = `${shown.rank === 0 ? "" : `rank ${shown.rank} of `}attempt ${shown.attempt.number} of ${task}`;
      note(`${who} printed nothing${streams.length === 1 ? ` to ${streams[0]}` : ""}`);
    });
    return EXIT.ok;
  });
}
