import { fn, json, many, optional } from "@wf/core";
import { z } from "zod";
import { Pruner, shouldContinue } from "./pruner.ts";
import { Sampler, suggest } from "./sampler.ts";
import { settingSchema } from "./setting-schema.ts";
import type { Setting, Space } from "./space.ts";
import { SpaceSchema } from "./space-schema.ts";
import { bestOf, Study } from "./study.ts";
import { Direction, endedTrial, Trial } from "./trial.ts";

/** Part of the keys of these tasks: their code is not in the workflow's bundle. */
const VERSION = 1;
const directions = z.array(Direction).min(1);

/** Chooses the setting of a trial from the results of earlier ones. */
export function askTask(space: Space) {
  return fn({
    name: "ask",
    version: VERSION,
    inputs: { earlier: many(json(Trial)) },
    params: z.object({ number: z.number(), space: SpaceSchema, sampler: Sampler, directions }),
    outputs: { setting: json(settingSchema(space)) },
    run: ({ inputs, params }) => ({
      setting: suggest(params.sampler, {
        space: params.space,
        index: params.number,
        history: inputs.earlier,
        directions: params.directions,
      }) as Setting,
    }),
  });
}

/** Says whether a trial goes on after a rung. */
export const judge = fn({
  name: "judge",
  version: VERSION,
  inputs: { earlier: many(json(Trial)), score: optional(json(z.number())) },
  params: z.object({ rung: z.number(), pruner: Pruner, direction: Direction }),
  outputs: { goesOn: json(z.boolean()) },
  run: ({ inputs: { earlier, score }, params: { rung, pruner, direction } }) => {
    if (score === undefined) return { goesOn: false };
    const others = earlier.flatMap(({ rungs }) => rungs[rung]?.value ?? []);
    return { goesOn: shouldContinue(pruner, { rung, value: score, others, direction }) };
  },
});

/** Puts down what a trial without rungs came to; a score that is absent is that of a trial that failed. */
export function tellTask(space: Space, objectives: readonly string[]) {
  return fn({
    name: "tell",
    version: VERSION,
    inputs: { setting: json(settingSchema(space)), ...optionalNumbers(objectives) },
    params: z.object({ number: z.number() }),
    outputs: { trial: json(Trial) },
    run: ({ inputs, params: { number } }) => {
      const { setting, ...scores } = inputs as unknown as { readonly setting: Setting } & Scores;
      const values = objectives.flatMap((name) => (scores as Scores)[name] ?? []);
      return {
        trial: endedTrial({ index: number, setting, values: values.length === objectives.length ? values : null }),
      };
    },
  });
}

/** Puts down what a trial with rungs came to: `score0` to `scoreN`, and between them whether it went on. */
export function tellRungsTask(space: Space, budgets: readonly number[]) {
  const scoreNames = budgets.map((_, rung) => `score${rung}`);
  const verdicts = Object.fromEntries(
    budgets.slice(1).map((_, rung) => [`goesOn${rung}`, optional(json(z.boolean()))]),
  );
  return fn({
    name: "tell",
    version: VERSION,
    inputs: { setting: json(settingSchema(space)), ...optionalNumbers(scoreNames), ...verdicts },
    params: z.object({ number: z.number(), budgets: z.array(z.number()) }),
    outputs: { trial: json(Trial) },
    run: ({ inputs, params: { number } }) => {
      const given = inputs as unknown as { readonly setting: Setting } & Scores & Verdicts;
      const values = scoreNames.map((name) => (given as Scores)[name]);
      const reached = values.indexOf(undefined);
      const rungs = values
        .slice(0, reached === -1 ? values.length : reached)
        .map((value, rung) => ({ budget: budgets[rung] as number, value: value as number }));
      const last = rungs.length - 1;
      const isPruned = reached > 0 && (given as Verdicts)[`goesOn${last}`] === false;
      const whole = reached === -1 ? [values.at(-1) as number] : null;
      return { trial: endedTrial({ index: number, setting: given.setting, values: whole, rungs, isPruned }) };
    },
  });
}

type Scores = { readonly [name: string]: number | undefined };
type Verdicts = { readonly [name: string]: boolean | undefined };

function optionalNumbers(names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, optional(json(z.number()))]));
}

/** Ends the search: the whole study, and the setting that did best. */
export function chooseTask(space: Space) {
  return fn({
    name: "choose",
    version: VERSION,
    inputs: { trials: many(json(Trial)) },
    params: z.object({
      space: SpaceSchema,
      sampler: Sampler,
      pruner: Pruner.nullable(),
      window: z.number(),
      objectives: z.array(z.object({ name: z.string(), direction: Direction })),
    }),
    outputs: { study: json(Study), best: json(settingSchema(space)), score: json(z.number()) },
    run: ({ inputs: { trials }, params }) => {
      const study: Study = { version: 1, ...params, trials };
      const best = bestOf(study);
      if (best === undefined) throw new Error(whyNone(trials));
      return { study, best: best.setting, score: best.values[0] as number };
    },
  });
}

function whyNone(trials: readonly Trial[]): string {
  return `none of the ${trials.length} trials gave a score, so there is no best setting; the failed tasks say why`;
}
