import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { writeDocument } from "@wf/transport";

/** Which store it is, for a site that several may use. */
export interface StoreIdentity {
  readonly store: string;
  /** For people: the host and the folder. */
  readonly where: string;
}

const FILE = "store-id";

/** The same for as long as the store is there, wherever it is moved to. */
export function storeIdentity(folder: string): StoreIdentity {
  return { store: readIfThere(join(folder, FILE)) ?? newIdentity(folder), where: `${hostname()}:${folder}` };
}

/** Of two processes that come at once, the first one says it. */
function newIdentity(folder: string): string {
  const identity = randomBytes(16).toString("hex");
  try {
    writeDocument(join(folder, FILE), identity, { isNew: true });
    return identity;
  } catch (error) {
    const first = readIfThere(join(folder, FILE));
    if (first === undefined) throw error;
    return first;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
