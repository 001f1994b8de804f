import { z } from "zod";
import { PlainName } from "../names/plain-name.ts";
import { ContentHash as hash } from "./content-hash.ts";
import type { Json } from "./json.ts";

/**
 * What an artifact is once it exists: a content hash and what is needed to stage it.
 * Files lie in the content-addressed store under their hash; directories, datasets and lists are
 * manifests (`manifest.ts`) that lie there too, and `hash` is the hash of the manifest.
 */
const size = z.number().int().nonnegative();

export const FileValue = z.object({ kind: z.literal("file"), hash, size, name: PlainName }).meta({ id: "FileValue" });
export const DirectoryValue = z
  .object({ kind: z.literal("directory"), hash, size, files: size })
  .meta({ id: "DirectoryValue" });
export const DatasetValue = z.object({ kind: z.literal("dataset"), hash, size, files: size, rows: size });
export const JsonValue = z.object({
  kind: z.literal("json"),
  hash,
  size,
  value: z.custom<Json>((v) => v !== undefined),
});
/** The branch of a condition that was not taken, or an optional output that was not written. */
export const AbsentValue = z.object({ kind: z.literal("absent") });

export type FileValue = z.infer<typeof FileValue>;
export type DirectoryValue = z.infer<typeof DirectoryValue>;
export type DatasetValue = z.infer<typeof DatasetValue>;
export type JsonValue = z.infer<typeof JsonValue>;
export type AbsentValue = z.infer<typeof AbsentValue>;
/** A collection, in order. `items` stay in memory while something waits for them. */
export interface ListValue {
  readonly kind: "list";
  readonly items: readonly Value[];
}
export type Value = FileValue | DirectoryValue | DatasetValue | JsonValue | AbsentValue | ListValue;

export const Value: z.ZodType<Value> = z
  .lazy(() =>
    z.discriminatedUnion("kind", [
      FileValue,
      DirectoryValue,
      DatasetValue,
      JsonValue,
      AbsentValue,
      z.object({ kind: z.literal("list"), items: z.array(Value) }),
    ]),
  )
  .meta({ id: "Value" });
