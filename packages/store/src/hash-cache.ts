import type { Statement } from "better-sqlite3";
import type { Connection } from "./connection.ts";

/** What changes when a file's content does. */
export interface FileStamp {
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** As a signed 64-bit number. */
  readonly inode: bigint;
}

/** Known hashes of the user's files. Entries are hints: losing them costs time only. */
export class HashCache {
  readonly #connection: Connection;
  readonly #get: Statement<[string, number, bigint, bigint, bigint], string>;
  readonly #put: Statement<[string, number, bigint, bigint, bigint, string]>;

  constructor(connection: Connection) {
    const { db } = connection;
    this.#connection = connection;
    this.#get = db
      .prepare<[string, number, bigint, bigint, bigint], string>(
        "SELECT hash FROM hash_cache WHERE path = ? AND size_bytes = ? AND mtime_ns = ? AND ctime_ns = ? AND inode = ?",
      )
      .pluck();
    this.#put = db.prepare(
      "INSERT OR REPLACE INTO hash_cache (path, size_bytes, mtime_ns, ctime_ns, inode, hash) VALUES (?, ?, ?, ?, ?, ?)",
    );
  }

  /** The hash, if the file was hashed with exactly this stamp. */
  get({ path, size, mtimeNs, ctimeNs, inode }: FileStamp): string | undefined {
    return this.#connection.read(() => this.#get.get(path, size, mtimeNs, ctimeNs, inode));
  }

  put(entries: readonly { readonly stamp: FileStamp; readonly hash: string }[]): void {
    this.#connection.join(() => {
      for (const { stamp, hash } of entries) {
        this.#put.run(stamp.path, stamp.size, stamp.mtimeNs, stamp.ctimeNs, stamp.inode, hash);
      }
    });
  }
}
