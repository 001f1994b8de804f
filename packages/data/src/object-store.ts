import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { canonical, type FileValue, type Json, type JsonValue, Manifest, WfError } from "@wf/core";
import { checkedJson } from "./checked-json.ts";
import { keepExisting, objectPath, publishBytes } from "./object-layout.ts";
import { checkedName } from "./safe-path.ts";
import { sha256 } from "./sha256.ts";
import type { ValueStore } from "./value-store.ts";
import { WeightedCache } from "./weighted-cache.ts";
import { writeFailure } from "./write-failure.ts";

const CACHED_TEXT_BYTES = 32 * 1024 * 1024;

export type Verification = "intact" | "missing" | "damaged";

/**
 * The content-addressed objects of one site, under `root/objects/ab/abcdef…`.
 * Law: a file under a hash's name has that content, or the store is damaged and `verify` says so.
 * Publishing does not wait for the disk: a kill loses nothing, a power cut may.
 */
export class ObjectStore implements ValueStore {
  /** The site's storage folder, absolute. */
  readonly root: string;
  readonly #manifests = new WeightedCache<Manifest>(CACHED_TEXT_BYTES);
  readonly #json = new WeightedCache<Json>(CACHED_TEXT_BYTES);

  constructor(root: string) {
    this.root = resolve(root);
  }

  path(hash: string): string {
    if (!/^[0-9a-f]{64}$/.test(hash)) throw new WfError("WF_INTERNAL", `Not a content hash: ${JSON.stringify(hash)}`);
    return objectPath(this.root, hash);
  }

  has(hash: string): boolean {
    return existsSync(this.path(hash));
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
    if (!parsed.success) throw this.#damaged(hash, parsed.error);
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

  /** Reads the object again and compares its hash with its name. */
  async verify(hash: string): Promise<Verification> {
    const digest = createHash("sha256");
    try {
      await pipeline(createReadStream(this.path(hash), { highWaterMark: 1 << 20 }), digest);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
      throw error;
    }
    return digest.digest("hex") === hash ? "intact" : "damaged";
  }

  #put(content: string | Uint8Array): string {
    const hash = sha256(content);
    try {
      if (keepExisting(this.root, hash, Buffer.byteLength(content), false)) return hash;
      publishBytes(this.root, hash, content, false);
    } catch (error) {
      throw writeFailure(error, "store", this.root);
    }
    return hash;
  }

  #read(hash: string): string {
    try {
      return readFileSync(this.path(hash), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw writeFailure(error, "store", this.root);
      throw missingObject(hash, this.root, error);
    }
  }

  #parse(hash: string, text: string): Json {
    try {
      return JSON.parse(text) as Json;
    } catch (error) {
      throw this.#damaged(hash, error);
    }
  }

  #damaged(hash: string, cause: unknown): WfError {
    return new WfError("WF_STORE_OPEN", `Object ${hash.slice(0, 12)} of the store is not what it should be`, {
      where: this.path(hash),
      hint: "Remove that file and run the workflow again: what is missing is made again.",
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
