/** Choices that were drawn before a history begins. A 0 is the calm one, and all are 0 when they are used up. */
export class Dice {
  readonly #throws: readonly number[];
  #next = 0;

  constructor(throws: readonly number[]) {
    this.#throws = throws;
  }

  /** From 0 to `faces` - 1. */
  roll(faces: number): number {
    return (this.#throws[this.#next++] ?? 0) % faces;
  }

  isOneIn(faces: number): boolean {
    return this.roll(faces) === 1;
  }

  pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.roll(choices.length)];
  }
}
