import type { Launch } from "@wf/protocol";
import type { z } from "zod";
import type { ArtifactType, DatasetType, DirectoryType, FileType, JsonType, Slot } from "./artifact-type.ts";
import { declareTask } from "./declare-task.ts";
import { isBuilding } from "./graph-builder.ts";
import type { Collection, DatasetHandle, DirectoryHandle, FileHandle, Handle, JsonHandle, Maybe } from "./handle.ts";
import type { ResourceRequest } from "./resources.ts";
import type { FitSplit, Split } from "./split.ts";
import { callTask } from "./task-call.ts";
import type { CachePolicy, EnvValue, FnBody, TaskDeclaration } from "./task-declaration.ts";

/** The slots of a declaration. */
// biome-ignore lint/suspicious/noExplicitAny: a slot of any type, label and modifier; the phantom label is not comparable
export type Slots = { readonly [name: string]: Slot<any, any, any> };

/** What a task makes: whole collections and unread data only come in. */
// biome-ignore lint/suspicious/noExplicitAny: as for slots
type OutputSlots = { readonly [name: string]: Slot<any, any, "one" | "optional"> };

export type HandleFor<T extends ArtifactType, S extends Split> =
  T extends DatasetType<infer C>
    ? DatasetHandle<C, S>
    : T extends JsonType<infer V>
      ? JsonHandle<V, S>
      : T extends FileType<infer F>
        ? FileHandle<F, S>
        : T extends DirectoryType
          ? DirectoryHandle<S>
          : never;

/** The label that an output is given; `never` when it takes its inputs' splits or is reference material. */
type LabelsOf<O extends Slots> = { [K in keyof O]: Exclude<NonNullable<O[K]["label"]>, "inherit"> }[keyof O];

/** What a task may be given: one that fits takes train and val, one that labels its outputs takes unsplit data. */
type AllowedSplit<O extends Slots, Fits extends boolean> = [LabelsOf<O>] extends [never]
  ? Fits extends true
    ? FitSplit
    : Split
  : "unsplit";

type InputArg<I, A extends Split> =
  I extends Slot<infer T, Split | "inherit", infer Mod>
    ? Mod extends "many"
      ? Collection<HandleFor<T, A>> | readonly HandleFor<T, A>[]
      : Mod extends "optional"
        ? HandleFor<T, A> | Maybe<HandleFor<T, A>>
        : Mod extends "carried"
          ? HandleFor<T, Split>
          : HandleFor<T, A>
    : never;

export type OptionalKeys<I extends Slots> = { [K in keyof I]: I[K]["mod"] extends "optional" ? K : never }[keyof I];

export type InputArgs<I extends Slots, A extends Split> = {
  readonly [K in Exclude<keyof I, OptionalKeys<I>>]: InputArg<I[K], A>;
} & { readonly [K in OptionalKeys<I>]?: InputArg<I[K], A> };

export type ParamArgs<P extends z.ZodObject, A extends Split> = {
  readonly [K in keyof z.input<P>]: z.input<P>[K] | JsonHandle<NonNullable<z.input<P>[K]>, A>;
};

export type SplitOf<V> =
  V extends Handle<ArtifactType, infer S>
    ? S
    : V extends Maybe<infer H>
      ? SplitOf<H>
      : V extends Collection<infer E>
        ? SplitOf<E>
        : V extends readonly (infer E)[]
          ? SplitOf<E>
          : never;

type SplitsOfInputs<I extends Slots, V> = {
  [K in keyof V]-?: K extends keyof I ? (I[K]["mod"] extends "carried" ? never : SplitOf<V[K]>) : never;
}[keyof V];
type SplitsOfParams<Q> = { [K in keyof Q]-?: SplitOf<Q[K]> }[keyof Q];

type NoExtra<Given, Known> = { readonly [K in Exclude<keyof Given, keyof Known>]: never };

type OutputHandle<O, S extends Split> =
  O extends Slot<infer T, Split | "inherit", infer Mod>
    ? Mod extends "optional"
      ? Maybe<HandleFor<T, LabelOr<O, S>>>
      : HandleFor<T, LabelOr<O, S>>
    : never;
type LabelOr<O extends { label?: unknown }, S extends Split> = [NonNullable<O["label"]>] extends [never]
  ? never
  : "inherit" extends NonNullable<O["label"]>
    ? S
    : Extract<NonNullable<O["label"]>, Split>;

/** What a call of a task gives: its outputs by name, and its declared metrics. */
export type TaskOutputs<O extends Slots, M extends string, S extends Split> = {
  readonly [K in keyof O]: OutputHandle<O[K], S>;
} & { readonly metrics: { readonly [K in M]: JsonHandle<number, S> } };

export interface CallOptions {
  /** The name of the stage, when the task is used more than once. Default: the task's name. */
  readonly as?: string;
  /** Other resources than the task declares. */
  readonly resources?: ResourceRequest;
}

export interface Task<I extends Slots, O extends Slots, P extends z.ZodObject, M extends string, Fits extends boolean> {
  <
    const V extends InputArgs<I, AllowedSplit<O, Fits>>,
    const Q extends ParamArgs<P, AllowedSplit<O, Fits>> = ParamArgs<P, never>,
  >(
    inputs: V & NoExtra<V, I>,
    ...rest: Record<never, never> extends z.input<P>
      ? [params?: Q & NoExtra<Q, z.input<P>>, options?: CallOptions]
      : [params: Q & NoExtra<Q, z.input<P>>, options?: CallOptions]
  ): TaskOutputs<O, M, SplitsOfInputs<I, V> | SplitsOfParams<Q>>;
  readonly declaration: TaskDeclaration;
}

interface SharedOptions<I extends Slots, O extends Slots, P extends z.ZodObject> {
  /** Letters, digits, `-` and `_`. It names the stage in progress, traces and logs. */
  readonly name: string;
  /** Named inputs: `{ image: file("png"), scores: many(json(z.number())) }`. Default: none. */
  readonly inputs?: I;
  /** Named outputs. Default: none. */
  readonly outputs?: O;
  /** `z.object({ epochs: z.number().int().default(8) })`. Default: none. */
  readonly params?: P;
  /** How often a failed attempt is tried again. Default 0. */
  readonly retries?: number;
  /** Default `"content"`: run again only when a part of the key changed. */
  readonly cache?: CachePolicy;
  /** Change it to make the cache forget what an earlier version made. */
  readonly version?: string | number;
}

export interface TaskOptions<
  I extends Slots,
  O extends Slots,
  P extends z.ZodObject,
  M extends string,
  Fits extends boolean,
  C extends Readonly<Record<string, string>>,
> extends SharedOptions<I, O, P> {
  /**
   * The argument vector. Names stand for paths and values: `({ inputs, outputs }) => ["sort", inputs.text, "-o", outputs.sorted]`.
   * A list (a fan-in, a list parameter) that is an argument of its own becomes several arguments.
   */
  readonly command: (names: {
    readonly inputs: { readonly [K in keyof I]: string };
    readonly outputs: { readonly [K in keyof O]: string };
    readonly params: { readonly [K in keyof z.output<P>]-?: string };
    readonly code: { readonly [K in keyof C]: string };
  }) => readonly (string | number)[];
  /** Files and folders that the command needs, relative to this file: `{ script: "./count.py" }`. Default: none. */
  readonly code?: C;
  /** Where the command runs. Default: a plain command of the site. */
  readonly runtime?: { readonly kind: "command" } | { readonly kind: "python"; readonly project: string };
  /** What it needs, and how many processes it has: `{ nodes: 2, processes: 1, cpus: 4 }`. Default: one cpu. */
  readonly resources?: ResourceRequest;
  /**
   * The program that starts its processes where it has several. Default: the site does, with srun on SLURM and by itself
   * elsewhere.
   */
  readonly launch?: Launch;
  /** True for a task that learns from its inputs: it takes no test and no unsplit data. Default false. */
  readonly fits?: Fits;
  /** Names of the numbers that the task reports, one JSON line a step, to the file that WF_METRICS names. */
  readonly metrics?: readonly M[];
  /** The environment beyond the basic one. `secret("TOKEN")` passes a value of yours on without writing it anywhere. */
  readonly env?: { readonly [name: string]: EnvValue };
  /** For a task that may take longer than a site lets it run: what it needs to go on in a further job. Default: it starts over. */
  readonly resumable?: ResumableOptions<O>;
}

/** The outputs that can be a checkpoint. */
type CheckpointNames<O extends Slots> = {
  [K in keyof O]: O[K] extends { readonly type: { readonly kind: "file" | "directory" } } ? K : never;
}[keyof O];

export interface ResumableOptions<O extends Slots> {
  /** The output, a file or a folder, that the command keeps up to date, and goes on from where it is there at its start. */
  readonly checkpoint: CheckpointNames<O> & string;
  /** How long before its time is up it is told to write one, by SIGUSR2: `"2m"`. Default: a fifth of its time, a minute at most. */
  readonly warn?: string | number;
}

type None = Record<never, never>;
type NoParams = z.ZodObject<None>;

/** Declares a typed step. Call the result inside `build` to use it. */
export function task<
  const I extends Slots = None,
  const O extends OutputSlots = None,
  P extends z.ZodObject = NoParams,
  const M extends string = never,
  const Fits extends boolean = false,
  const C extends Readonly<Record<string, string>> = None,
>(options: TaskOptions<I, O, P, M, Fits, C>): Task<I, O, P, M, Fits> {
  return callable(declareTask(options as never));
}

type FnInput<S> =
  S extends Slot<infer T, Split | "inherit", infer Mod>
    ? Mod extends "many"
      ? FnValue<T>[]
      : Mod extends "optional"
        ? FnValue<T> | undefined
        : FnValue<T>
    : never;
/** JSON comes as its value, files and folders as paths. */
type FnValue<T> = T extends JsonType<infer V> ? V : string;
type FnOutput<S> =
  S extends Slot<infer T, Split | "inherit", "one" | "many" | "optional" | "carried">
    ? T extends JsonType<infer V>
      ? V
      : string | Uint8Array
    : never;

export interface FnOptions<I extends Slots, O extends Slots, P extends z.ZodObject> extends SharedOptions<I, O, P> {
  /** JSON inputs arrive as values, files as paths. Return JSON outputs as values, files as their content. */
  readonly run: (work: {
    readonly inputs: { readonly [K in keyof I]: FnInput<I[K]> };
    readonly params: z.output<P>;
  }) => { readonly [K in keyof O]: FnOutput<O[K]> } | Promise<{ readonly [K in keyof O]: FnOutput<O[K]> }>;
}

/** Small glue in TypeScript, run beside the engine on JSON values and small files. */
export function fn<const I extends Slots = None, const O extends OutputSlots = None, P extends z.ZodObject = NoParams>(
  options: FnOptions<I, O, P>,
): Task<I, O, P, never, false> {
  const { run, ...shared } = options;
  const runtime = { kind: "fn", run: run as FnBody, isOfBuild: isBuilding() } as const;
  return callable(declareTask({ ...shared, runtime } as never));
}

function callable<I extends Slots, O extends Slots, P extends z.ZodObject, M extends string, Fits extends boolean>(
  declaration: TaskDeclaration,
): Task<I, O, P, M, Fits> {
  const call = (inputs: unknown, params?: unknown, options?: CallOptions) =>
    callTask(declaration, inputs as never, params as never, options);
  return Object.assign(call, { declaration }) as never;
}

/**
 * Python from a project folder, relative to this file. Its code (`src/`, if it has a `pyproject.toml`, else the folder)
 * lies at `code/project/` in the sandbox, which is on PYTHONPATH. What `pyproject.toml` or `requirements.txt` requires is
 * made ready on the site: see docs/runtimes.md.
 */
export function python(project: string): { readonly kind: "python"; readonly project: string } {
  return { kind: "python", project };
}

/** A variable of the environment in which `wf` runs. Its value never reaches the store, a log, a record or a plan. */
export function secret(name: string): { readonly secret: string } {
  return { secret: name };
}
