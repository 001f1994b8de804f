import { parseIndices } from "./array-indices.ts";

/** A job of SLURM: one of its own, or one element of an array. */
export interface JobId {
  /** The number that sbatch answered with. */
  readonly id: string;
  /** Null where it is no element of an array. */
  readonly index: number | null;
}

export function showJobId({ id, index }: JobId): string {
  return index === null ? id : `${id}_${index}`;
}

/**
 * All jobs that a line of `squeue` or `sacct` speaks of: `12`, `31_5`, `42_[0-9]`, `31_[10-19%5]`, and `23+1` for a part
 * of a heterogeneous job. Null for what is none of them, or was cut short.
 */
export function parseJobIds(text: string): readonly JobId[] | null {
  const match = /^(\d+(?:\+\d+)?)(?:_(?:(\d+)|\[(.+)\]))?$/.exec(text);
  if (match === null) return null;
  const [, id = "", index, list] = match;
  if (index !== undefined) return [{ id, index: Number(index) }];
  if (list === undefined) return [{ id, index: null }];
  return parseIndices(list)?.map((element) => ({ id, index: element })) ?? null;
}
