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

/** All at the same time. */
export function atOnce(checks: readonly Check[]): readonly Promise<Examined>[] {
  return checks.map(async (check) => ({ name: check.name, diagnosis: await diagnose(check) }));
}
