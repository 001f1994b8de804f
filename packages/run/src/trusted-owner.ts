import { lstatSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/** Whose files may decide what wf runs. */
export interface Truster {
  /** Undefined where files have no owners. */
  readonly uid: number | undefined;
  readonly env: NodeJS.ProcessEnv;
}

const ROOT = 0;

export function currentTruster(): Truster {
  return { uid: process.geteuid?.(), env: process.env };
}

/**
 * The owner of a file, if it is neither the user, nor root, who could do anything to the user anyway, nor the person
 * behind sudo. A link belongs to whoever made it, and to the owner of what it points to.
 */
export function strangerOwning(path: string, { uid, env }: Truster): number | undefined {
  if (uid === undefined) return undefined;
  const person = uid === ROOT && /^\d+$/.test(env.SUDO_UID ?? "") ? Number(env.SUDO_UID) : uid;
  const owners = [lstatSync(path, { throwIfNoEntry: false }), statSync(path, { throwIfNoEntry: false })];
  return owners.flatMap((found) => found?.uid ?? []).find((owner) => ![ROOT, uid, person].includes(owner));
}

/** Whether WF_TRUST names the folder: a list as in PATH. */
export function isTrusted(folder: string, { env }: Truster): boolean {
  const named = (env.WF_TRUST ?? "").split(delimiter).filter((name) => name !== "");
  return named.some((name) => resolve(name) === folder);
}
