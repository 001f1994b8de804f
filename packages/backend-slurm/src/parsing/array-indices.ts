/** The indices of an array as SLURM writes them: `0-9`, `1,3-4`, `0-10:2`. */
export function formatIndices(indices: readonly number[]): string {
  const sorted = [...new Set(indices)].sort((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const index of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

/** Null for what is no list of indices, such as one that was cut short with `...`. A throttle (`%5`) is passed over. */
export function parseIndices(text: string): readonly number[] | null {
  const indices: number[] = [];
  for (const part of text.replace(/%\d+$/, "").split(",")) {
    const match = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(part);
    if (match === null) return null;
    const first = Number(match[1]);
    const last = match[2] === undefined ? first : Number(match[2]);
    const step = match[3] === undefined ? 1 : Number(match[3]);
    if (step === 0) return null;
    for (let index = first; index <= last; index += step) indices.push(index);
  }
  return indices;
}
