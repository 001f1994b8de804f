import { type Check, type Diagnosis, diagnose } from "./diagnosis.ts";

/** A check, and what it has found. */
export interface Examined {
  readonly name: string;
  readonly diagnosis: Diagnosis;
}

/** One after the other. */
export async function* inTurn(checks: readonly Check[]): AsyncGenerator<Examined> {
  for (const check of checks) yield { name: check.name, diagnosis: await diagnose(check) };
}

/** All at the same time, told in their order. */
export async function* atOnce(checks: readonly Check[]): AsyncGenerator<Examined> {
  const under = checks.map((check) => ({ name: check.name, diagnosis: diagnose(check) }));
  for (const { name, diagnosis } of under) yield { name, diagnosis: await diagnosis };
}
