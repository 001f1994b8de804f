import { describe, it } from "vitest";
import type { BackendEvent } from "../backend.ts";
import { adoption } from "./cases/adoption.ts";
import { capacity } from "./cases/capacity.ts";
import { endings } from "./cases/endings.ts";
import { isolation } from "./cases/isolation.ts";
import { jobs } from "./cases/jobs.ts";
import { outcomes } from "./cases/outcomes.ts";
import { ranks } from "./cases/ranks.ts";
import type { ContractCase } from "./contract-case.ts";
import type { BackendHarness } from "./harness.ts";
import { ContractSession } from "./session.ts";

export interface ContractOptions {
  /** Cases that this backend cannot keep: the name of each, and why. */
  readonly skip?: Readonly<Record<string, string>>;
  /**
   * Cases run side by side, as many as vitest's `maxConcurrency` says. `makeHarness` then has to give each a place that
   * has all of its capacity to itself, and may wait until one is free. Default: one after the other.
   */
  readonly isConcurrent?: boolean;
}

const CASES: readonly ContractCase[] = [
  ...outcomes,
  ...jobs,
  ...endings,
  ...isolation,
  ...adoption,
  ...capacity,
  ...ranks,
];

/** Declares the suite for one backend. Each case gets a harness of its own. */
export function backendContract(
  name: string,
  makeHarness: () => Promise<BackendHarness>,
  { skip = {}, isConcurrent = false }: ContractOptions = {},
): void {
  const unknown = Object.keys(skip).filter((skipped) => !CASES.some((known) => known.name === skipped));
  if (unknown.length > 0) throw new Error(`The contract has no such case: ${unknown.join(", ")}`);

  describe(`${name} keeps the contract of a backend`, { concurrent: isConcurrent }, () => {
    for (const { name: promise, run } of CASES) {
      const reason = skip[promise];
      if (reason !== undefined) it.skip(`${promise} (skipped: ${reason})`);
      else it(promise, () => onStage(makeHarness, run));
    }
  });
}

async function onStage(makeHarness: () => Promise<BackendHarness>, run: ContractCase["run"]): Promise<void> {
  const harness = await makeHarness();
  const sessions: ContractSession[] = [];
  const open = async (onEvent?: (event: BackendEvent) => void) => {
    const session = new ContractSession(harness.create());
    await session.open(onEvent);
    sessions.push(session);
    return session;
  };
  try {
    await run({ harness, open });
  } finally {
    for (const session of sessions) await session.clear();
    await harness.dispose();
  }
}
