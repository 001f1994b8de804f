import { mkdirSync, statSync } from "node:fs";
import { dirname, posix } from "node:path";
import { type Value, WfError } from "@wf/protocol";
import type { ContentFile, MovedObjects, Transport } from "@wf/transport";
import { checkManifests } from "./composite-value.ts";
import { OBJECTS, objectMode, objectName, QUARANTINE } from "./object-layout.ts";
import { missingObject, type ObjectStore } from "./object-store.ts";
import { manifestReferences, type ObjectReference, valueReferences } from "./value-objects.ts";

export interface SiteContentOptions {
  /** The content that lies here. */
  readonly objects: ObjectStore;
  readonly transport: Transport;
  /** The site's storage there. */
  readonly storage: string;
  /** Is told of content that was moved. */
  readonly onMoved?: ((moved: Movement) => void) | undefined;
}

export interface Movement {
  readonly direction: "there" | "here";
  readonly files: number;
  readonly bytes: number;
  readonly seconds: number;
}

const LISTING_BYTES = 1024 ** 3;
const LISTING_MS = 10 * 60_000;

/**
 * The content of a site elsewhere, beside the content here. Manifests are always here, so that everything can be
 * planned; files go where they are needed.
 */
export class SiteContent {
  readonly #options: SiteContentOptions;
  /** Hash to size; null where it was not heard. */
  readonly #there = new Map<string, number | null>();

  constructor(options: SiteContentOptions) {
    this.#options = options;
  }

  /** Learns what lies there, in one listing. */
  async look(signal: AbortSignal): Promise<void> {
    const { transport, storage } = this.#options;
    const cwd = posix.join(storage, OBJECTS);
    await transport.makeFolder(cwd, signal);
    const { stdout } = await transport.run(
      {
        argv: ["find", ".", "-type", "f", "-printf", "%s %p\\n"],
        cwd,
        isRepeatable: true,
        maxOutputBytes: LISTING_BYTES,
        timeoutMs: LISTING_MS,
      },
      signal,
    );
    for (const [, size, hash] of stdout.matchAll(/^(\d+) .*\/([0-9a-f]{64})$/gm)) {
      this.#there.set(hash as string, Number(size));
    }
  }

  /** Whether an object is known to lie there, as large as it must be. `size`: null where that is not known. */
  has(hash: string, size: number | null): boolean {
    const found = this.#there.get(hash);
    return found !== undefined && (found === null || size === null || found === size);
  }

  /** These were made there. */
  noteMade(values: Iterable<Value>): void {
    for (const value of values) for (const { hash } of this.#all(value)) this.#there.set(hash, null);
  }

  /** Brings what the values stand on to the site: what is there already is not sent again. */
  async send(values: Iterable<Value>, signal: AbortSignal): Promise<MovedObjects> {
    const wanted = new Map<string, ContentFile>();
    for (const value of values) {
      for (const reference of this.#all(value)) {
        const { hash, sizeBytes } = reference;
        if (!this.has(hash, sizeBytes) && !wanted.has(hash))
          wanted.set(hash, this.#contentFile(reference, this.#sizeOf(hash)));
      }
    }
    const files = [...wanted.values()];
    if (files.length === 0) return { moved: 0, movedBytes: 0, kept: 0 };
    const { transport, storage } = this.#options;
    const moved = await this.#timed("there", transport.putObjects(storage, files, signal));
    for (const { hash } of files) this.#there.set(hash, null);
    return moved;
  }

  /** Brings all that the values stand on here. */
  async fetch(values: readonly Value[], signal: AbortSignal): Promise<MovedObjects> {
    await this.fetchManifests(values, signal);
    return await this.#get(
      values.flatMap((value) => [...this.#all(value)]),
      signal,
    );
  }

  /** Brings here what is needed to know what the values consist of, and refuses what none can consist of. */
  async fetchManifests(values: readonly Value[], signal: AbortSignal): Promise<void> {
    let level = values.flatMap((value) => [...valueReferences(value)]).filter(({ isManifest }) => isManifest);
    while (level.length > 0) {
      await this.#get(level, signal);
      level = level
        .flatMap(({ hash }) => [...manifestReferences(this.#options.objects.readManifest(hash))])
        .filter(({ isManifest }) => isManifest);
    }
    for (const value of values) checkManifests(this.#options.objects, value);
  }

  async #get(references: readonly ObjectReference[], signal: AbortSignal): Promise<MovedObjects> {
    const { objects, transport, storage } = this.#options;
    const missing = new Map(
      references.filter(({ hash, sizeBytes }) => !objects.isIntact(hash, sizeBytes)).map((one) => [one.hash, one]),
    );
    if (missing.size === 0) return { moved: 0, movedBytes: 0, kept: references.length };
    // What has no known size travels with the small ones, which say their size themselves.
    const files = [...missing.values()].map((one) => this.#contentFile(one, one.sizeBytes ?? 0));
    for (const { local } of files) mkdirSync(dirname(local), { recursive: true });
    try {
      return await this.#timed("here", transport.getObjects(storage, files, signal));
    } catch (error) {
      if (error instanceof WfError && error.code === "WF_SITE_CHECKSUM") await this.#setDamagedAside(files, signal);
      throw error;
    }
  }

  /** Law: what is damaged leaves the store, there as here, so that the next run makes it again. */
  async #setDamagedAside(files: readonly ContentFile[], signal: AbortSignal): Promise<void> {
    const { transport, storage } = this.#options;
    const place = (remote: string) => posix.join(storage, remote);
    const found = await transport.sha256(
      files.map(({ remote }) => place(remote)),
      signal,
    );
    for (const { hash, remote } of files) {
      if (found.get(place(remote)) === hash) continue;
      this.#there.delete(hash);
      if (!found.has(place(remote))) continue;
      await transport.makeFolder(place(QUARANTINE), signal);
      // Somebody else may have done it.
      const aside = { from: place(remote), to: place(`${QUARANTINE}/${hash}`) };
      await transport.rename(aside, signal).catch(() => undefined);
    }
  }

  async #timed(direction: Movement["direction"], moving: Promise<MovedObjects>): Promise<MovedObjects> {
    const startedMs = performance.now();
    const moved = await moving;
    const seconds = (performance.now() - startedMs) / 1000;
    if (moved.moved > 0) this.#options.onMoved?.({ direction, files: moved.moved, bytes: moved.movedBytes, seconds });
    return moved;
  }

  *#all(value: Value): Generator<ObjectReference> {
    const open = [...valueReferences(value)];
    for (let reference = open.pop(); reference !== undefined; reference = open.pop()) {
      yield reference;
      if (reference.isManifest) open.push(...manifestReferences(this.#options.objects.readManifest(reference.hash)));
    }
  }

  #contentFile({ hash, isExecutable }: ObjectReference, sizeBytes: number): ContentFile {
    const local = this.#options.objects.path(hash);
    return { hash, sizeBytes, local, remote: objectName(hash), mode: objectMode(isExecutable) };
  }

  #sizeOf(hash: string): number {
    const { objects } = this.#options;
    const status = statSync(objects.path(hash), { throwIfNoEntry: false });
    if (status === undefined) throw missingObject(hash, objects.root);
    return status.size;
  }
}
