import type { PreparedRuntime } from "@wf/backend";
import {
  columnKinds,
  outputPath,
  placeholder,
  type Resources,
  type Resumable,
  type TaskDeclaration,
  totalOf,
  worldSize,
} from "@wf/core";
import {
  howToPlace,
  inputPath,
  itemPaths,
  itemsOf,
  type PlacedFiles,
  type Resolved,
  type TaskInstance,
} from "@wf/planner";
import type { Json, TaskSpec, Value } from "@wf/protocol";
import type { AttemptOf } from "./effects.ts";
import type { Artifacts } from "./ports.ts";
import { type Rendered, renderCommand, renderParam } from "./render-command.ts";
import type { Checkpoint } from "./slices.ts";

export interface SpecContext {
  readonly artifacts: Artifacts;
  readonly placement: readonly PlacedFiles[];
  /** Variables that the site gives to every task. */
  readonly siteEnv: Readonly<Record<string, string>>;
  /** The interpreter that `python` in a command stands for where no runtime was prepared. */
  readonly python: string;
  /** The folder in which an attempt's sandbox lies. */
  sandboxOf(attempt: string): string;
  /** Values of secrets, by the name of the variable in the environment of `wf`. */
  secret(name: string): string;
}

const GRACE_SECONDS = 5;

/** Everything that the launcher needs for one attempt, with nothing left to decide. */
export function taskSpec(
  { task, attempt, stage, checkpoint }: AttemptOf,
  context: SpecContext,
  runtime?: PreparedRuntime,
): TaskSpec {
  const { declaration } = task.node;
  const inputs = Object.entries(task.inputs).filter(([, value]) => value.kind !== "absent");
  const outputs = Object.entries(declaration.outputs).map(([name, slot]) => ({
    name,
    path: outputPath(name, slot),
    kind: slot.type.kind,
    ...(slot.type.kind === "dataset" ? { columns: { ...columnKinds(slot.type.columns) } } : {}),
    ...(slot.mod === "optional" ? { optional: true } : {}),
  }));
  const names: Record<string, Record<string, Rendered>> = {
    inputs: Object.fromEntries(Object.entries(task.inputs).map(([name, value]) => [name, renderInput(name, value)])),
    outputs: Object.fromEntries(outputs.map(({ name, path }) => [name, path])),
    params: Object.fromEntries(Object.entries(task.params).map(([name, value]) => [name, renderValue(name, value)])),
    code: Object.fromEntries(stage.code.map(({ name, path }) => [name, path])),
  };
  // What was not given is no argument.
  const argv = renderCommand(declaration.command, (from, name) => names[from]?.[name] ?? []);
  const isPython = declaration.runtime.kind === "python";
  if (isPython && !runtime && /^python3?$/.test(argv[0] as string)) argv[0] = context.python;
  const env = Object.entries(declaration.env).map(([name, value]) => [
    name,
    typeof value === "string" ? value : context.secret(value.secret),
  ]);
  const secrets = Object.keys(declaration.env).filter((name) => typeof declaration.env[name] !== "string");
  return {
    task: task.name,
    attempt,
    after: [],
    argv,
    env: {
      ...context.siteEnv,
      ...(isPython ? pythonEnv(context.sandboxOf(attempt)) : {}),
      ...Object.fromEntries(env),
    },
    ...(runtime ? { path: [runtime.bin] } : {}),
    ...(secrets.length === 0 ? {} : { secrets }),
    inputs: [
      ...stage.code.map(({ name, path, value }) => ({
        name: `code ${name}`,
        path,
        value,
        how: howToPlace(context.placement, "code"),
      })),
      ...inputs.map(([name, value]) => ({
        name,
        path: inputPath(name, value),
        value: context.artifacts.keep(value),
        how: howToPlace(context.placement, "intermediate"),
      })),
    ],
    outputs,
    ...checkpointOf(declaration.resumable, checkpoint),
    params: Object.fromEntries(Object.keys(task.params).map((name) => [name, paramOf(task, name)])),
    ...ranksOf(stage.resources, declaration.launch),
    ...totalOf(stage.resources),
    timeLimitSeconds: stage.resources.timeLimitSeconds,
    graceSeconds: GRACE_SECONDS,
    warnSeconds: warnSeconds(declaration.resumable, stage.resources.timeLimitSeconds),
    keepSandbox: "failed",
  };
}

function ranksOf({ nodes, processes }: Resources, launch: TaskDeclaration["launch"]): Pick<TaskSpec, "ranks"> {
  return worldSize({ nodes, processes }) === 1 ? {} : { ranks: { nodes, perNode: processes, launch } };
}

function checkpointOf(resumable: Resumable | undefined, from: Checkpoint | null): Pick<TaskSpec, "checkpoint"> {
  return resumable === undefined ? {} : { checkpoint: { output: resumable.checkpoint, ...(from ? { from } : {}) } };
}

const WARN_SECONDS = 60;
const WARN_SHARE = 0.2;

function warnSeconds(resumable: Resumable | undefined, limit: number | null): number {
  if (resumable === undefined || limit === null) return 0;
  return resumable.warnSeconds ?? Math.min(WARN_SECONDS, WARN_SHARE * limit);
}

/** Unbuffered, so that who follows the log of a task that runs for hours sees what it has printed so far. */
function pythonEnv(sandbox: string): Record<string, string> {
  return { PYTHONPATH: `${sandbox}/code/project`, PYTHONDONTWRITEBYTECODE: "1", PYTHONUNBUFFERED: "1" };
}

export function paramOf(task: Pick<TaskInstance, "params">, name: string): Json {
  const value = task.params[name];
  return value?.kind === "json" ? value.value : null;
}

/** What is not known yet leaves its place in the command, for who fills it in later. */
function renderInput(name: string, value: Resolved): Rendered {
  if (value.kind === "unknown") return placeholder("inputs", name);
  if (value.kind === "absent") return [];
  return value.kind === "list" ? itemPaths(name, itemsOf(value)) : inputPath(name, value);
}

function renderValue(name: string, value: Resolved): Rendered {
  if (value.kind === "unknown") return placeholder("params", name);
  return renderParam(value.kind === "json" ? value.value : null);
}

export function inputValues(task: TaskInstance, artifacts: Artifacts): Record<string, Value> {
  return Object.fromEntries(Object.entries(task.inputs).map(([name, value]) => [name, artifacts.keep(value)]));
}
