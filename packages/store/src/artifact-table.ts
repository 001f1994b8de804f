import { createHash } from "node:crypto";
import type { ListValue, Value } from "@wf/protocol";
import type { Statement } from "better-sqlite3";
import type { Clock } from "./clock.ts";
import type { Cell, Connection } from "./connection.ts";
import { UntilRollback } from "./until-rollback.ts";

type Content = Exclude<Value, ListValue | { kind: "absent" }>;

/** Ids that are kept at most, so that memory does not grow with what is done. */
const REMEMBERED = 20_000;

/**
 * One row for each content hash and kind. A list is a row as well, once for each sequence of items however often it
 * is used; its items, nested lists laid flat, are its origins. Always called inside a transaction.
 */
export class ArtifactTable {
  readonly #now: Clock;
  readonly #ids: UntilRollback<Map<string, number>>;
  readonly #lists: UntilRollback<WeakMap<readonly Value[], number>>;
  #expectNew = true;
  readonly #find: Statement<[string, string], number>;
  readonly #insert: Statement<Cell[]>;
  readonly #origin: Statement<[number, number, number | null]>;
  readonly #originsOf: Statement<[number, number]>;

  constructor(connection: Connection, now: Clock) {
    const { db } = connection;
    this.#now = now;
    this.#ids = new UntilRollback(connection, () => new Map());
    this.#lists = new UntilRollback(connection, () => new WeakMap());
    this.#find = db.prepare<[string, string], number>("SELECT id FROM artifacts WHERE hash = ? AND kind = ?").pluck();
    this.#insert = connection.statement(
      `INSERT INTO artifacts (hash, kind, first_seen_at, size_bytes, files, rows, items, name)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#origin = db.prepare("INSERT OR IGNORE INTO origins (artifact_id, origin_id, position) VALUES (?, ?, ?)");
    this.#originsOf = db.prepare(
      "INSERT OR IGNORE INTO origins (artifact_id, origin_id) SELECT ?, origin_id FROM origins WHERE artifact_id = ?",
    );
  }

  /** The row of a value; null for an absent one. `origins` are what it was cut or merged from, if no task made it. */
  idOf(value: Value, origins: readonly Value[] = []): number | null {
    if (value.kind === "absent") return null;
    const id = value.kind === "list" ? this.#listId(value) : this.#contentId(value);
    for (const origin of origins) {
      const originId = this.idOf(origin);
      if (originId !== null && originId !== id) this.#originatesFrom(id, originId, null);
    }
    return id;
  }

  #contentId(value: Content): number {
    const { files, rows, name } = { files: null, rows: null, name: null, ...value };
    return this.#enter(value.hash, value.kind, [value.size, files, rows, null, name]).id;
  }

  #listId(list: ListValue): number {
    const known = this.#lists.value.get(list.items);
    if (known !== undefined) return known;
    const leaves = leavesOf(list);
    const sizeBytes = leaves.reduce((sum, { size }) => sum + size, 0);
    const { id, isNew } = this.#enter(hashOfList(list), "list", [sizeBytes, null, null, list.items.length, null]);
    if (isNew) {
      for (const [position, leaf] of leaves.entries()) this.#originatesFrom(id, this.#contentId(leaf), position);
    }
    this.#lists.value.set(list.items, id);
    return id;
  }

  #originatesFrom(id: number, originId: number, position: number | null): void {
    this.#origin.run(id, originId, position);
    this.#originsOf.run(id, originId);
  }

  /** A run makes new content or meets old content, seldom both by turns: what the last one was is tried first. */
  #enter(hash: string, kind: Value["kind"], facts: readonly Cell[]): { readonly id: number; readonly isNew: boolean } {
    const name = `${kind} ${hash}`;
    const ids = this.#ids.value;
    const known = ids.get(name);
    if (known !== undefined) return { id: known, isNew: false };
    const found = this.#expectNew ? undefined : this.#find.get(hash, kind);
    const added = found ?? this.#insertNew(hash, kind, facts);
    const id = added ?? (this.#find.get(hash, kind) as number);
    this.#expectNew = found === undefined && added !== undefined;
    if (ids.size >= REMEMBERED) ids.clear();
    ids.set(name, id);
    return { id, isNew: this.#expectNew };
  }

  #insertNew(hash: string, kind: Value["kind"], facts: readonly Cell[]): number | undefined {
    const { changes, lastInsertRowid } = this.#insert.run(hash, kind, this.#now(), ...facts);
    return changes === 1 ? Number(lastInsertRowid) : undefined;
  }
}

function leavesOf(list: ListValue, into: Content[] = []): readonly Content[] {
  for (const item of list.items) {
    if (item.kind === "list") leavesOf(item, into);
    else if (item.kind !== "absent") into.push(item);
  }
  return into;
}

/** Of the sequence of items: a list has no content of its own. */
function hashOfList(list: ListValue): string {
  const digest = createHash("sha256");
  const visit = ({ items }: ListValue): void => {
    digest.update("[\n");
    for (const item of items) {
      if (item.kind === "list") visit(item);
      else digest.update(item.kind === "absent" ? "-\n" : `${item.kind} ${item.hash}\n`);
    }
    digest.update("]\n");
  };
  visit(list);
  return digest.digest("hex");
}
