import {
  type Collection,
  type Handle,
  JsonHandle,
  lineOfError,
  type Maybe,
  mayFit,
  nothing,
  part,
  type Slot,
  showLine,
  tolerate,
  when,
} from "@wf/core";
import { WfError } from "@wf/protocol";
import type { Pruner } from "./pruner.ts";
import { judge, tellRungsTask, tellTask } from "./search-tasks.ts";
import type { Setting, Space } from "./space.ts";
import type { Direction, Trial } from "./trial.ts";

export interface Objective {
  readonly name: string;
  readonly direction: Direction;
}

/** What a person wrote for one trial, with its types gone. */
export type WrittenTrial = (call: { readonly [name: string]: unknown }) => object;

export interface TrialParts {
  readonly space: Space;
  readonly written: WrittenTrial;
  readonly objectives: readonly Objective[];
  readonly pruner: Pruner | undefined;
  readonly checkpoint: Slot | undefined;
  readonly earlier: Collection<JsonHandle<Trial>>;
  readonly setting: JsonHandle<Setting>;
  readonly number: JsonHandle<number, never>;
}

type Score = JsonHandle<number>;

/** The tasks of one trial, from its setting to what it came to. A trial that fails has come to something too. */
export function trialBody(parts: TrialParts): JsonHandle<Trial> {
  const { space, written, objectives, pruner, setting, number } = parts;
  const call = { params: { ...setting.fields }, number };
  if (pruner) return tellRungs(parts, pruner, call);
  const names = objectives.map(({ name }) => name);
  const scores = tolerate(() => scoresOf(written(call), names));
  return tellTask(space, names)({ setting, ...scores } as never, { number } as never).trial;
}

/** One rung after the other; each goes on from what the one before has left, so nothing is trained twice. */
function tellRungs(parts: TrialParts, pruner: Pruner, call: object): JsonHandle<Trial> {
  const { space, written, objectives, checkpoint: slot, earlier, setting, number } = parts;
  const [{ name, direction }] = objectives as [Objective];
  const { rungs } = pruner;
  const nameOf = (rung: number) => `rung-${rungs[rung]}`;
  const climb = (rung: number, checkpoint: Maybe | undefined): Record<string, Maybe> => {
    const { score, ...left } = tolerate(() =>
      part(nameOf(rung), () => {
        const result = written({ ...call, budget: rungs[rung], ...(checkpoint ? { checkpoint } : {}) });
        const { [name]: own } = scoresOf(result, [name]) as { [name: string]: Score };
        return { score: own, ...(slot ? { checkpoint: checkpointOf(result) } : {}) };
      }),
    ) as unknown as { readonly score: Maybe<Score>; readonly checkpoint?: Maybe };
    const reached = { [`score${rung}`]: score };
    if (rung === rungs.length - 1) return reached;
    const { goesOn } = part(nameOf(rung), () => judge({ earlier, score }, { rung, pruner, direction } as never));
    const above = when(goesOn, () => climb(rung + 1, left.checkpoint)) as Record<string, Maybe>;
    return { ...reached, [`goesOn${rung}`]: goesOn as unknown as Maybe, ...above };
  };
  const scores = climb(0, slot && nothing(slot as never));
  return tellRungsTask(space, rungs)({ setting, ...scores } as never, { number, budgets: rungs } as never).trial;
}

function scoresOf(result: object, names: readonly string[]): { readonly [name: string]: Score } {
  const { metrics = {} } = result as { readonly metrics?: object };
  const given = { ...result, ...metrics } as { readonly [name: string]: unknown };
  return Object.fromEntries(names.map((name) => [name, checkedScore(name, given[name], Object.keys(given))]));
}

function checkedScore(name: string, score: unknown, given: readonly string[]): Score {
  const where = showLine(lineOfError(new Error()));
  if (!(score instanceof JsonHandle)) {
    throw new WfError("WF_METRIC_UNKNOWN", `the trial gives no "${name}", which is what the search looks at`, {
      where,
      hint: given.length === 0 ? `return { ${name}: … } from the trial` : `it gives: ${given.join(", ")}`,
    });
  }
  if (mayFit(score.splits)) return score as Score;
  throw new WfError("WF_SPLIT_FIT", `"${name}" is made from ${score.splits.join(" and ")} data, and a search fits`, {
    where,
    hint: "score the trials on val data; test data is for the end",
  });
}

function checkpointOf(result: object): Handle {
  const { checkpoint } = result as { readonly checkpoint?: Handle };
  if (checkpoint) return checkpoint;
  throw new WfError("WF_OUTPUT_UNKNOWN", 'the trial gives no "checkpoint", which the next rung goes on from', {
    where: showLine(lineOfError(new Error())),
    hint: "return { checkpoint: trained.checkpoint, … } from the trial",
  });
}
