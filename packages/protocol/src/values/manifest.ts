import { z } from "zod";
import { PlainName, PlainPath } from "../names/plain-name.ts";
import { ContentHash } from "./content-hash.ts";
import type { Json } from "./json.ts";
import { Value } from "./value.ts";

const size = z.number().int().nonnegative();

/**
 * The content of a composite artifact, stored as canonical JSON under its own hash.
 * Paths are relative, with `/`, without `..`; directory entries are sorted by path (code units), each of them once.
 */
const FileRef = z.object({ hash: ContentHash, size, name: PlainName });
export type FileRef = z.infer<typeof FileRef>;

export const DirectoryManifest = z.object({
  kind: z.literal("directory"),
  entries: z
    .array(z.object({ path: PlainPath, hash: ContentHash, size, executable: z.boolean().optional() }))
    .refine((entries) => new Set(entries.map(({ path }) => path)).size === entries.length, "a path stands there twice"),
  /** Those that hold nothing, sorted by path; absent where there are none. */
  folders: z.array(PlainPath).optional(),
});

type Row = Readonly<Record<string, FileRef | Json>>;

/** A file column holds a FileRef; a value column holds JSON (a label, a patient). */
export const DatasetManifest = z
  .object({
    kind: z.literal("dataset"),
    columns: z.record(PlainName, z.enum(["file", "value"])),
    rows: z.array(
      z.record(
        z.string(),
        z.custom<FileRef | Json>((v) => v !== undefined),
      ),
    ),
  })
  .superRefine(({ columns, rows }, context) => {
    const fileColumns = Object.keys(columns).filter((column) => columns[column] === "file");
    for (const [index, row] of rows.entries()) {
      for (const column of fileColumns) {
        const cell = FileRef.safeParse((row as Row)[column]);
        if (cell.success) continue;
        const [issue] = cell.error.issues;
        context.addIssue({
          code: "custom",
          path: ["rows", index, column, ...(issue?.path ?? [])],
          message: issue?.message ?? "not a file",
        });
        return;
      }
    }
  });

export const ListManifest = z.object({ kind: z.literal("list"), items: z.array(Value) });

export const Manifest = z.discriminatedUnion("kind", [DirectoryManifest, DatasetManifest, ListManifest]);
export type DirectoryManifest = z.infer<typeof DirectoryManifest>;
export type DatasetManifest = z.infer<typeof DatasetManifest>;
export type ListManifest = z.infer<typeof ListManifest>;
export type Manifest = z.infer<typeof Manifest>;
