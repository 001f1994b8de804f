/** Losses of one trial, less is better. */
export type Losses = readonly number[];

/** At least as good everywhere, and better somewhere. A strict partial order. */
export function dominates(a: Losses, b: Losses): boolean {
  let isBetter = false;
  for (let objective = 0; objective < a.length; objective += 1) {
    const difference = at(a, objective) - at(b, objective);
    if (difference > 0) return false;
    if (difference < 0) isBetter = true;
  }
  return isBetter;
}

/**
 * Fronts of indices, best first. No member of a front dominates another of it, and every member of a later front is
 * dominated by one of the front before. Within a front the order is that of `losses`.
 */
export function nonDominatedFronts(losses: readonly Losses[]): readonly (readonly number[])[] {
  const beats = losses.map((better) => indicesOf(losses, (other) => dominates(better, other)));
  const beatenBy = losses.map(() => 0);
  for (const index of beats.flat()) beatenBy[index] = at(beatenBy, index) + 1;
  const fronts: number[][] = [];
  let front = indicesOf(beatenBy, (count) => count === 0);
  while (front.length > 0) {
    fronts.push(front);
    const next: number[] = [];
    for (const index of front.flatMap((member) => at(beats, member))) {
      beatenBy[index] = at(beatenBy, index) - 1;
      if (beatenBy[index] === 0) next.push(index);
    }
    front = next.sort((a, b) => a - b);
  }
  return fronts;
}

/** How lonely each member of a front is: infinite at its ends, else the size of the gap around it. */
export function crowdingDistances(front: readonly Losses[]): readonly number[] {
  const distances = front.map(() => 0);
  const objectives = front[0]?.length ?? 0;
  for (let objective = 0; objective < objectives; objective += 1) {
    const loss = (index: number) => at(at(front, index), objective);
    const order = front.map((_, index) => index).sort((a, b) => loss(a) - loss(b));
    const first = at(order, 0);
    const last = at(order, order.length - 1);
    const width = loss(last) - loss(first);
    if (width === 0) continue;
    distances[first] = Number.POSITIVE_INFINITY;
    distances[last] = Number.POSITIVE_INFINITY;
    for (const [place, index] of order.slice(1, -1).entries())
      distances[index] = at(distances, index) + (loss(at(order, place + 2)) - loss(at(order, place))) / width;
  }
  return distances;
}

/** Indices from best to worst: by front, within it the lonely ones first, then by index. One loss is its own order. */
export function rankByDominance(losses: readonly Losses[]): readonly number[] {
  if (losses[0]?.length === 1) {
    const loss = (index: number) => at(at(losses, index), 0);
    return losses.map((_, index) => index).sort((a, b) => loss(a) - loss(b) || a - b);
  }
  return nonDominatedFronts(losses).flatMap((front) => {
    const distances = crowdingDistances(front.map((index) => at(losses, index)));
    const places = front.map((_, place) => place).sort((a, b) => compareDescending(at(distances, a), at(distances, b)));
    return places.map((place) => at(front, place));
  });
}

/** Infinite distances are equal; a difference of them would not be a number. */
function compareDescending(a: number, b: number): number {
  return a === b ? 0 : b > a ? 1 : -1;
}

function indicesOf<T>(list: readonly T[], isWanted: (member: T) => boolean): number[] {
  const indices: number[] = [];
  list.forEach((member, index) => {
    if (isWanted(member)) indices.push(index);
  });
  return indices;
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
