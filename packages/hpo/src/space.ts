import type { Json } from "@wf/protocol";

/**
 * What may be searched: parameters by name. It is plain JSON, for it enters keys and is stored.
 * Law: the order of names says nothing. Spaces with the same canonical text are searched alike.
 */
export type Space = { readonly [name: string]: Parameter };
export type Parameter = Choice | Uniform | LogUniform | Integer | OneOf;

/** One of several values, in no order. */
export type Choice<V extends Json = Json> = {
  readonly kind: "choice";
  readonly values: readonly V[];
};

/** A number from `low` to `high`, every one as likely as another. */
export type Uniform = {
  readonly kind: "uniform";
  readonly low: number;
  readonly high: number;
};

/** A number whose logarithm is uniform: 1e-4 to 1e-3 is as likely as 1e-3 to 1e-2. */
export type LogUniform = {
  readonly kind: "log-uniform";
  readonly low: number;
  readonly high: number;
};

/** A whole number `low + n * step`, at most `high`; uniform, or uniform in its logarithm. */
export type Integer = {
  readonly kind: "integer";
  readonly low: number;
  readonly high: number;
  readonly step: number;
  readonly log: boolean;
};

/** Parameters that exist in one branch only. The value is an object in which `field` names the branch. */
export type OneOf<F extends string = string, B extends Branches = Branches> = {
  readonly kind: "one-of";
  readonly field: F;
  readonly branches: B;
};
export type Branches = { readonly [name: string]: Space };

/** A value for every parameter: what one trial is given. */
export type SettingOf<S extends Space> = { readonly [K in keyof S]: ValueOf<S[K]> };
export type Setting = { readonly [name: string]: Json };

type ValueOf<P> =
  P extends Choice<infer V extends Json>
    ? V
    : P extends OneOf<infer F, infer B>
      ? { [K in keyof B & string]: Show<{ readonly [N in F]: K } & SettingOf<B[K]>> }[keyof B & string]
      : number;
type Show<T> = { [K in keyof T]: T[K] };
