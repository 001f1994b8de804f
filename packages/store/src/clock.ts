/** Unix seconds. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now() / 1000;
