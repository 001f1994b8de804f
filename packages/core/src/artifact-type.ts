import { type ModelChoice, parseModelChoice, WfError } from "@wf/protocol";
import type { z } from "zod";
import { currentLine, showLine } from "./source-line.ts";
import type { Split, SplitSet } from "./split.ts";

/**
 * What an artifact is. `file("csv")` is a file of that format, `file()` any file; a dataset has rows of aligned
 * columns, such as an image and its mask, or an image and its label.
 */
export interface FileType<Format extends string = string> {
  readonly kind: "file";
  readonly format?: Format | undefined;
}
export interface DirectoryType {
  readonly kind: "directory";
}
export interface JsonType<T = unknown> {
  readonly kind: "json";
  readonly schema: z.ZodType<T> | undefined;
}
export type Columns = { readonly [name: string]: FileType | JsonType };
export interface DatasetType<C extends Columns = Columns> {
  readonly kind: "dataset";
  readonly columns: C;
}
export type ArtifactType = FileType | DirectoryType | DatasetType | JsonType;

/** How a declaration speaks of an artifact: its type, and what it adds to it. */
export interface Slot<
  T extends ArtifactType = ArtifactType,
  Label extends Split | "inherit" = Split | "inherit",
  Mod extends "one" | "many" | "optional" | "carried" = "one" | "many" | "optional" | "carried",
> {
  readonly type: T;
  /** Phantom: which split an output is given. `splits` says it at run time. */
  readonly label?: Label;
  readonly mod: Mod;
  /** Undefined: the union of the inputs' splits. Empty: reference material. */
  readonly splits: SplitSet | undefined;
  /** Where a task writes it, when a tool insists on a name of its own. */
  readonly path: string | undefined;
  /** For an input of a workflow: the registered model that it is unless another one is named. */
  readonly model: ModelChoice | undefined;
  /** Says which split this is, or that it is reference material and no data at all. */
  as<S extends Split | "reference">(split: S): Slot<T, S extends Split ? S : never, Mod>;
}

function slot<T extends ArtifactType>(type: T, place: Place = {}): Slot<T, "inherit", "one"> {
  return withMod(type, "one", undefined, { path: place.path, model: choiceOf(place) });
}

interface SlotPlace {
  readonly path: string | undefined;
  readonly model: ModelChoice | undefined;
}

function withMod<T extends ArtifactType, L extends Split | "inherit", M extends Slot["mod"]>(
  type: T,
  mod: M,
  splits: SplitSet | undefined,
  { path, model }: SlotPlace,
): Slot<T, L, M> {
  return {
    type,
    mod,
    splits,
    path,
    model,
    as: (split) => withMod(type, mod, split === "reference" ? [] : [split as Split], { path, model }),
  };
}

export function isSlot(value: unknown): value is Slot {
  return typeof value === "object" && value !== null && "type" in value && "mod" in value && "splits" in value;
}

export interface OutputPlace {
  /** Where the command writes it, relative to its working directory. Default: `out/NAME`. */
  readonly path?: string;
}

/** For an input of a workflow: a model that an earlier run has registered. */
export interface RegisteredModel {
  /** The name is its newest version; `"lung-unet@3"` and `"lung-unet@TAG"` are others. */
  readonly model: string;
  /** The version with the highest value of this metric. */
  readonly best?: string;
  /** The version with the lowest value of this metric. */
  readonly lowest?: string;
}

type Place = OutputPlace & Partial<RegisteredModel>;

function choiceOf({ path, model, best, lowest }: Place): ModelChoice | undefined {
  const metric = best ?? lowest;
  if (model === undefined && metric === undefined) return undefined;
  const choice = parseModelChoice(model ?? "");
  const isSaidTwice =
    (best !== undefined && lowest !== undefined) || (metric !== undefined && choice?.pick !== "newest");
  if (choice === undefined || path !== undefined || isSaidTwice) {
    throw new WfError("WF_DECLARATION", "the model of an input is named wrongly, or in two ways", {
      where: showLine(currentLine()),
      hint: 'write { model: "lung-unet" }, { model: "lung-unet@3" }, { model: "lung-unet", best: "dice" } or { …, lowest: "loss" }',
    });
  }
  if (metric === undefined) return choice;
  return { name: choice.name, pick: best === undefined ? "lowest" : "highest", metric };
}

/** A file. A format makes it a type of its own: `file("csv")` does not go where `file("png")` is wanted. */
export function file(place?: OutputPlace | RegisteredModel): Slot<FileType, "inherit", "one">;
export function file<const F extends string>(
  format: F,
  place?: OutputPlace | RegisteredModel,
): Slot<FileType<F>, "inherit", "one">;
export function file(format?: string | Place, place?: Place): Slot<FileType, "inherit", "one"> {
  if (typeof format === "string") {
    if (!/^[A-Za-z0-9][A-Za-z0-9.+-]*$/.test(format)) {
      throw new WfError("WF_DECLARATION", `file(${JSON.stringify(format)}): a format is a file ending such as "csv"`, {
        where: showLine(currentLine()),
        hint: 'write file("csv"), without the dot',
      });
    }
    return slot({ kind: "file", format }, place);
  }
  return slot({ kind: "file" }, format);
}

/** A folder with whatever is in it. */
export function directory(place?: OutputPlace | RegisteredModel): Slot<DirectoryType, "inherit", "one"> {
  return slot({ kind: "directory" }, place);
}

/** A JSON value that fits a zod schema. */
export function json<T>(schema: z.ZodType<T>, place?: OutputPlace): Slot<JsonType<T>, "inherit", "one"> {
  return slot({ kind: "json", schema }, place);
}

type ColumnSlots = { readonly [name: string]: Slot<FileType | JsonType, "inherit", "one"> };
type ColumnTypes<C extends ColumnSlots> = { readonly [K in keyof C]: C[K]["type"] };

/** Rows of aligned columns: `dataset({ image: file("png"), mask: file("png"), patient: json(z.string()) })`. */
export function dataset<const C extends ColumnSlots>(
  columns: C,
  place?: OutputPlace,
): Slot<DatasetType<ColumnTypes<C>>, "inherit", "one"> {
  const types = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.type]));
  return slot({ kind: "dataset", columns: types as ColumnTypes<C> }, place);
}

type OneSlot = Slot<ArtifactType, Split | "inherit", "one">;

/** An input that takes a whole collection: the fan-in. */
export function many<S extends OneSlot>(of: S): Slot<S["type"], "inherit", "many"> {
  return withMod(of.type, "many", of.splits, of);
}

/** An input that may be absent, or an output that need not be written. */
export function optional<S extends OneSlot>(of: S): Slot<S["type"], NonNullable<S["label"]>, "optional"> {
  return withMod(of.type, "optional", of.splits, of);
}

/** An input that is staged but declared unread by the fit: the one way for test data to travel along. */
export function carried<S extends OneSlot>(of: S): Slot<S["type"], "inherit", "carried"> {
  return withMod(of.type, "carried", of.splits, of);
}
