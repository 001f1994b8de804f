/**
 * Files with holes, which take less room than they are long. Worker threads load this, so it stands on Node alone.
 *
 * ```ts
 * if (hasHoles(await stat(path))) await copyAroundHoles(path, copy);
 * ```
 */
const BLOCK_BYTES = 512;

/** How much of a file is looked at at once. */
export const CHUNK_BYTES = 1 << 20;

const ZEROS = Buffer.alloc(CHUNK_BYTES);

const CANNOT_CLONE: ReadonlySet<string> = new Set([
  "ENOTSUP",
  "EOPNOTSUPP",
  "EXDEV",
  "EINVAL",
  "ENOTTY",
  "ENOSYS",
  "EPERM",
]);

export function hasHoles({ size, blocks }: { readonly size: number; readonly blocks: number }): boolean {
  return blocks * BLOCK_BYTES < size;
}

/** Node cannot ask where holes are, so what is nothing but zeros is taken for one. At most `CHUNK_BYTES`. */
export function isHole(chunk: Buffer): boolean {
  return chunk.equals(ZEROS.subarray(0, chunk.length));
}

/** Whether copying failed since the file system has no clones, or none between these two places. */
export function cannotClone(error: unknown): boolean {
  return CANNOT_CLONE.has((error as NodeJS.ErrnoException).code ?? "");
}
