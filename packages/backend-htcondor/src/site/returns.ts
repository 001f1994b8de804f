import { setTimeout as delay } from "node:timers/promises";
import type { Element, LoginNode } from "@wf/backend-cluster";

/** Jobs that end within it are dealt with at once. */
const WINDOW_MS = 100;

interface Waiting {
  readonly element: Element;
  resolve(wrong: string | null): void;
  reject(error: unknown): void;
}

/** What returns from machines that do not see the storage. */
export class Returns {
  readonly #login: LoginNode;
  #waiting: Waiting[] = [];
  #flush: Promise<void> | null = null;

  constructor(login: LoginNode) {
    this.#login = login;
  }

  /** What is wrong with what a job left; null where it is well, or there is nothing. */
  gather(element: Element, signal: AbortSignal): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ element, resolve, reject });
      this.#flush ??= this.#collect(signal);
    });
  }

  async #collect(signal: AbortSignal): Promise<void> {
    await delay(WINDOW_MS);
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#flush = null;
    try {
      const wrong = await this.#login.collect(
        waiting.map(({ element }) => element),
        signal,
      );
      waiting.forEach(({ resolve }, index) => {
        resolve(wrong[index] ?? null);
      });
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
