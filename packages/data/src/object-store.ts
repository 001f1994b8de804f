import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  canonical,
  type FileValue,
  isNestedWithin,
  type Json,
  type JsonValue,
  Manifest,
  MOST_NESTED_DOCUMENT,
  misfit,
  WfError,
} from "@wf/protocol";
import { checkedJson } from "./checked-json.ts";
import { keepExisting, objectPath, publishBytes, setAside } from "./object-layout.ts";
import { checkedName } from "./safe-path.ts";
import { type Inspection, inspect } from "./seals.ts";
import { sha256 } from "./sha256.ts";
import type { ValueStore } from "./value-store.ts";
import { WeightedCache } from "./weighted-cache.ts";
import { writeFailure } from "./write-failure.ts";

const CACHED_TEXT_BYTES = 32 * 1024 * 1024;

export interface ObjectStoreOptions {
  /** Is told of each object that was found damaged, and has left the store. */
  readonly onDamaged?: ((hash: string) => void) | undefined;
}

/**
 * The content-addressed objects of one site, under `root/objects/ab/abcdef…`.
 * Law: content is what its hash says. Its size is compared whenever it is used, and the whole is read the first time
 * since somebody else wrote it or the machine crashed. What is damaged leaves the store, and is as if it were missing.
 * Publishing does not wait for the disk: a kill loses nothing, a power cut what was not synced.
 */
export class ObjectStore implements ValueStore {
  /** The site's storage folder, absolute. */
  readonly root: string;
  readonly #onDamaged: (hash: string) => void;
  readonly #manifests = new WeightedCache<Manifest>(CACHED_TEXT_BYTES);
  readonly #json = new WeightedCache<Json>(CACHED_TEXT_BYTES);

  constructor(root: string, { onDamaged = () => undefined }: ObjectStoreOptions = {}) {
    this.root = resolve(root);
    this.#onDamaged = onDamaged;
  }

  path(hash: string): string {
    return objectPath(this.root, hash);
  }

  has(hash: string): boolean {
    return existsSync(this.path(hash));
  }

  /** Whether it is there, and is what its hash says. `size`: null where it is not known. */
  isIntact(hash: string, size: number | null): boolean {
    const found = inspect(this.root, this.path(hash), hash, size);
    if (found === "damaged") this.#quarantine(hash);
    return found === "intact";
  }

  /** The same, for who only looks: what is damaged stays where it is. */
  looksIntact(hash: string, size: number | null): boolean {
    return inspect(this.root, this.path(hash), hash, size) === "intact";
  }

  /** The value is shared: never change it. */
  readJson(hash: string): Json {
    const known = this.#json.get(hash);
    if (known !== undefined) return known;
    const text = this.#read(hash);
    const value = this.#parse(hash, text);
    this.#json.set(hash, value, text.length);
    return value;
  }

  readManifest(hash: string): Manifest {
    const known = this.#manifests.get(hash);
    if (known !== undefined) return known;
    const text = this.#read(hash);
    const parsed = Manifest.safeParse(this.#parse(hash, text));
    if (!parsed.success) throw this.#invalid(hash, misfit(parsed.error), parsed.error);
    this.#manifests.set(hash, parsed.data, text.length);
    return parsed.data;
  }

  writeManifest(manifest: Manifest): string {
    const text = canonical(manifest as unknown as Json);
    const hash = this.#put(text);
    this.#manifests.set(hash, manifest, text.length);
    return hash;
  }

  putJson(value: Json): JsonValue {
    const text = checkedJson(value);
    const hash = this.#put(text);
    return { kind: "json", hash, size: Buffer.byteLength(text), value: JSON.parse(text) as Json };
  }

  putBytes(bytes: Uint8Array, name: string): FileValue {
    checkedName(name);
    return { kind: "file", hash: this.#put(bytes), size: bytes.byteLength, name };
  }

  /** Reads the whole object, sealed or not. One that is damaged leaves the store. */
  async verify(hash: string): Promise<Inspection> {
    const path = this.path(hash);
    const digest = createHash("sha256");
    if (this.#isNoFile(hash)) {
      this.#quarantine(hash);
      return "damaged";
    }
    try {
      const file = await open(path);
      const { ino } = await file.stat();
      const isRead = await pipeline(file.createReadStream({ highWaterMark: 1 << 20 }), digest).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "EIO") throw error;
          return false;
        },
      );
      if (isRead && digest.digest("hex") === hash) return "intact";
      // A run may have made it again meanwhile.
      if ((await stat(path)).ino === ino) this.#quarantine(hash);
      return "damaged";
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
      throw error;
    }
  }

  /** For who has found it damaged on its own, and has set it aside. */
  tellDamaged(hash: string): void {
    this.#onDamaged(hash);
  }

  #put(content: string | Uint8Array): string {
    const hash = sha256(content);
    try {
      const found = keepExisting(this.root, hash, Buffer.byteLength(content), false);
      if (found === "damaged") this.tellDamaged(hash);
      if (found !== "intact") publishBytes(this.root, hash, content, false);
    } catch (error) {
      throw writeFailure(error, "store", this.root);
    }
    return hash;
  }

  /** A folder, a link or a pipe lies in its place. */
  #isNoFile(hash: string): boolean {
    return lstatSync(this.path(hash), { throwIfNoEntry: false })?.isFile() === false;
  }

  #read(hash: string): string {
    let bytes: Buffer;
    if (this.#isNoFile(hash)) {
      this.#quarantine(hash);
      throw missingObject(hash, this.root);
    }
    try {
      bytes = readFileSync(this.path(hash));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw writeFailure(error, "store", this.root);
      throw missingObject(hash, this.root, error);
    }
    if (sha256(bytes) === hash) return bytes.toString("utf8");
    this.#quarantine(hash);
    throw missingObject(hash, this.root);
  }

  #quarantine(hash: string): void {
    try {
      setAside(this.root, hash);
    } catch (error) {
      throw writeFailure(error, "store", this.root);
    }
    this.tellDamaged(hash);
  }

  #parse(hash: string, text: string): Json {
    try {
      const value = JSON.parse(text) as Json;
      if (!isNestedWithin(MOST_NESTED_DOCUMENT, value)) throw new TypeError("nested too deeply");
      return value;
    } catch (error) {
      throw this.#invalid(hash, `it is no JSON that anybody reads: ${(error as Error).message}`, error);
    }
  }

  /** Content that is what its hash says, and that nobody may follow. */
  #invalid(hash: string, why: string, cause: unknown): WfError {
    return new WfError("WF_ARTIFACT_INVALID", `Object ${hash.slice(0, 12)} is not what a record says: ${why}`, {
      where: this.path(hash),
      hint: "Look at the task that made it: only launchers write manifests.",
      cause,
    });
  }
}

export function missingObject(hash: string, root: string, cause?: unknown): WfError {
  return new WfError("WF_ARTIFACT_MISSING", `Object ${hash.slice(0, 12)} is gone from the store`, {
    where: objectPath(root, hash),
    hint: "Run the workflow again: what is missing is made again.",
    cause,
  });
}
