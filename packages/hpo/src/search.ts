import { json, part, type Slot, series } from "@wf/core";
import { checkSpace } from "./check-space.ts";
import { gridSize } from "./grid.ts";
import { nsga2 } from "./nsga2.ts";
import { refuseOption } from "./refuse-option.ts";
import type { Sampler } from "./sampler.ts";
import type { SearchOptions, SearchResult, TrialCall, TrialResult } from "./search-options.ts";
import { askTask, chooseTask } from "./search-tasks.ts";
import type { Space } from "./space.ts";
import { tpe } from "./tpe.ts";
import { Trial } from "./trial.ts";
import { type Objective, trialBody, type WrittenTrial } from "./trial-body.ts";

const DEFAULT_WINDOW = 4;

/**
 * Looks for the best setting. The body is one trial, written once: its tasks have records, metrics, logs, retries and
 * cache entries like any others, and run wherever tasks run.
 *
 * Law: trial i is chosen from exactly the results of trials 0 to i - window, in that order; so a search repeats
 * exactly, however many trials run at once and whichever ends first.
 *
 * ```ts
 * const found = search(
 *   { lr: logUniform(1e-4, 1e-1), width: choice([8, 16]) },
 *   ({ params }) => train({ train, val }, { ...params, epochs: 2 }),
 *   { trials: 12, maximise: "dice" },
 * );
 * train({ train, val }, { ...found.best, epochs: 20 });
 * ```
 */
export function search<const S extends Space, const O extends SearchOptions>(
  space: S,
  trial: (call: TrialCall<S, O>) => TrialResult<O>,
  options: O,
): SearchResult<S> {
  checkSpace(space);
  const objectives = objectivesOf(options);
  const { pruner, checkpoint, window = DEFAULT_WINDOW } = options;
  if (pruner && objectives.length > 1)
    refuseOption("search(): a pruner looks at one objective, and there are several", "take one out");
  const sampler = options.sampler ?? (objectives.length > 1 ? nsga2() : tpe());
  const directions = objectives.map(({ direction }) => direction);
  return part(options.as ?? "search", () => {
    const ask = askTask(space);
    const rounds = series(
      { count: options.trials ?? trialsOf(space, sampler), window, gives: { trial: json(Trial) } },
      (earlier, number) => {
        const { setting } = ask({ earlier: earlier.trial }, { number, space, sampler, directions } as never);
        const written = trial as unknown as WrittenTrial;
        const parts = { space, written, objectives, pruner, checkpoint: checkpoint as Slot | undefined };
        return { trial: trialBody({ ...parts, earlier: earlier.trial, setting, number }) };
      },
    );
    const params = { space, sampler, pruner: pruner ?? null, window, objectives };
    const { best, score, study } = chooseTask(space)({ trials: rounds.trial }, params as never);
    return { best: { ...best.fields }, score, study } as unknown as SearchResult<S>;
  });
}

function objectivesOf({ maximise, minimise, objectives }: SearchOptions): readonly Objective[] {
  const named = Object.entries(objectives ?? {}).map(([name, direction]) => ({ name, direction }));
  const most = maximise === undefined ? [] : [{ name: maximise, direction: "maximise" as const }];
  const least = minimise === undefined ? [] : [{ name: minimise, direction: "minimise" as const }];
  const all = [...most, ...least, ...named];
  const ways = [maximise, minimise, objectives].filter((way) => way !== undefined).length;
  if (ways !== 1 || all.length === 0)
    refuseOption("search(): what it looks for is not said, or said twice", 'say maximise: "dice"');
  return all;
}

function trialsOf(space: Space, sampler: Sampler): number {
  if (sampler.kind === "grid") return gridSize(space, sampler);
  return refuseOption("search(): the number of trials is not said, and only a grid has an end", "say trials: 20");
}
