import { z } from "zod";
import type { Json } from "./json.ts";
import { Value } from "./value.ts";

/**
 * The content of a composite artifact, stored as canonical JSON under its own hash.
 * Paths are relative, with `/`, without `..`; directory entries are sorted by path (code units).
 */
const FileRef = z.object({ hash: z.string(), size: z.number(), name: z.string() });
export type FileRef = z.infer<typeof FileRef>;

export const DirectoryManifest = z.object({
  kind: z.literal("directory"),
  entries: z.array(
    z.object({ path: z.string(), hash: z.string(), size: z.number(), executable: z.boolean().optional() }),
  ),
});

/** A file column holds a FileRef; a value column holds JSON (a label, a patient). */
export const DatasetManifest = z.object({
  kind: z.literal("dataset"),
  columns: z.record(z.string(), z.enum(["file", "value"])),
  rows: z.array(
    z.record(
      z.string(),
      z.custom<FileRef | Json>((v) => v !== undefined),
    ),
  ),
});

export const ListManifest = z.object({ kind: z.literal("list"), items: z.array(Value) });

export const Manifest = z.discriminatedUnion("kind", [DirectoryManifest, DatasetManifest, ListManifest]);
export type DirectoryManifest = z.infer<typeof DirectoryManifest>;
export type DatasetManifest = z.infer<typeof DatasetManifest>;
export type ListManifest = z.infer<typeof ListManifest>;
export type Manifest = z.infer<typeof Manifest>;
