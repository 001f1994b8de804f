import { accessSync, constants, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ObjectStore } from "@wf/data";
import { WfError } from "@wf/protocol";
import { type SqliteOrigin, Store, type StoreOptions, sqliteOrigin } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { type Check, fail, ok, warn } from "./diagnosis.ts";
import { judgeOpenness } from "./openness.ts";

const LITTLE_BYTES = 5e9;
const TOO_LITTLE_BYTES = 200e6;

const ORIGINS: Readonly<Record<SqliteOrigin, string>> = {
  compiled: "compiled on this machine",
  fetched: "fetched ready-made",
};

/** SQLite comes as native code, which has to fit this Node and this machine. */
export function checkSqlite(origin: SqliteOrigin = sqliteOrigin()): Check {
  return {
    name: "sqlite",
    examine() {
      const folder = mkdtempSync(join(tmpdir(), "wf-doctor-"));
      try {
        const store = Store.open(folder);
        const { rows } = store.query("SELECT sqlite_version()");
        store.close();
        return ok(`${rows[0]?.[0]}, ${ORIGINS[origin]}`);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Where runs are kept: on a local disk, writable, and sound if it is there already. */
export function checkStore(folder: string, options: StoreOptions = {}): Check {
  return {
    name: "store",
    examine() {
      const existing = nearestExisting(folder);
      try {
        accessSync(existing, constants.W_OK);
      } catch {
        return fail(`${existing} cannot be written`, "name another folder with --store DIR or WF_STORE");
      }
      const store = openIfThere(folder, options);
      if (!store) return ok(`${folder}, made by the first run`);
      try {
        const [damage] = store.check();
        if (damage !== undefined) return fail(`${folder} is damaged: ${damage}`, `move ${folder} away, and run again`);
        const wrong = wrongContent(store);
        if (wrong > 0) return warn(`${folder}: ${counted(wrong, "object")} of the newest damaged`, "wf verify --all");
        const runs = counted(Number(store.query("SELECT count(*) FROM run").rows[0]?.[0]), "run");
        return judgeOpenness({ folder, mode: statSync(folder).mode }, { isShared: false, says: `${folder}, ${runs}` });
      } finally {
        store.close();
      }
    },
  };
}

const LOOKED_AT = 2000;

/** Cheap: of the newest content only the sizes, and what has lost its seal. What is gone may lie on a site. */
function wrongContent(store: Store): number {
  const objects = new ObjectStore(store.folder);
  return store.newestContent(LOOKED_AT).filter(({ hash, kind, sizeBytes }) => {
    const size = kind === "file" || kind === "json" ? sizeBytes : null;
    return objects.has(hash) && !objects.looksIntact(hash, size);
  }).length;
}

/** Opening tells more than that there is none: a folder of the network is refused first. */
function openIfThere(folder: string, options: StoreOptions): Store | undefined {
  try {
    return Store.open(folder, { ...options, readonly: true });
  } catch (error) {
    const isMissing = error instanceof WfError && error.code === "WF_STORE_OPEN" && !existsSync(join(folder, "wf.db"));
    if (isMissing) return undefined;
    throw error;
  }
}

export function checkDisk(folder: string): Check {
  return {
    name: "disk",
    examine() {
      const { bavail, bsize } = statfsSync(nearestExisting(folder));
      const free = bavail * bsize;
      const says = `${formatBytes(free)} free`;
      if (free >= LITTLE_BYTES) return ok(says);
      return free >= TOO_LITTLE_BYTES
        ? warn(says, "wf gc --dry-run")
        : fail(says, "wf gc, or --store DIR on another disk");
    },
  };
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder));
}
