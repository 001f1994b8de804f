import { WfError } from "@wf/protocol";

/** `warn`: it works, but not as well as it could. `fail`: runs will not work here. */
export type Health = "ok" | "warn" | "fail";

export interface Diagnosis {
  readonly health: Health;
  readonly says: string;
  /** What to type or change. */
  readonly next?: string | undefined;
}

/** One thing that wf needs, or is better with. */
export interface Check {
  readonly name: string;
  examine(): Diagnosis | Promise<Diagnosis>;
}

export const ok = (says: string): Diagnosis => ({ health: "ok", says });
export const warn = (says: string, next: string): Diagnosis => ({ health: "warn", says, next });
export const fail = (says: string, next: string | undefined): Diagnosis => ({ health: "fail", says, next });

/** A check that throws has found what it looked for. */
export async function diagnose(check: Check): Promise<Diagnosis> {
  try {
    return await check.examine();
  } catch (error) {
    if (error instanceof WfError) return fail(withPlace(error.message, error.where), error.hint);
    return fail(error instanceof Error ? error.message : String(error), undefined);
  }
}

function withPlace(message: string, where: string | undefined): string {
  return where === undefined ? message : `${message} (${where})`;
}
