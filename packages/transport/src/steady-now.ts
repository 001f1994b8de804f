/**
 * Milliseconds since the epoch as they were when this process started, counted on by a clock that nobody can turn: for
 * deadlines and for how long something has lasted. The time of day may jump by hours, and with it whatever waits for it.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
