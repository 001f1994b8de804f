import { mkdirSync } from "node:fs";
import { join } from "node:path/posix";
import { afterAll, beforeAll, describe, it } from "vitest";
import { commands } from "./cases/commands.ts";
import { files } from "./cases/files.ts";
import { moves } from "./cases/moves.ts";
import { objects } from "./cases/objects.ts";
import { processes } from "./cases/processes.ts";
import type { ContractCase } from "./contract-case.ts";
import type { TransportHarness } from "./harness.ts";

export interface ContractOptions {
  /** Cases that this transport cannot keep: the name of each, and why. */
  readonly skip?: Readonly<Record<string, string>>;
}

const CASES: readonly ContractCase[] = [...commands, ...processes, ...files, ...moves, ...objects];

/** Declares the suite for one transport. */
export function transportContract(
  name: string,
  makeHarness: () => Promise<TransportHarness>,
  { skip = {} }: ContractOptions = {},
): void {
  const unknown = Object.keys(skip).filter((skipped) => !CASES.some((known) => known.name === skipped));
  if (unknown.length > 0) throw new Error(`The contract has no such case: ${unknown.join(", ")}`);

  describe(`${name} keeps the contract of a transport`, () => {
    let harness: TransportHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    afterAll(async () => {
      await harness?.dispose();
    });
    for (const [index, { name: promise, run }] of CASES.entries()) {
      const reason = skip[promise];
      if (reason !== undefined) it.skip(`${promise} (skipped: ${reason})`);
      else it(promise, () => onStage(harness, index, run));
    }
  });
}

async function onStage(harness: TransportHarness, index: number, run: ContractCase["run"]): Promise<void> {
  const life = new AbortController();
  const { transport } = harness;
  const root = join(harness.root, `case ${index}'s "肺"`);
  const local = join(harness.local, `case-${index}`);
  mkdirSync(local);
  try {
    await transport.makeFolder(root, life.signal);
    await run({ transport, root, local, signal: life.signal });
  } finally {
    life.abort(new Error("the case has ended"));
  }
}
