import { basename, resolve } from "node:path";
import type { DatasetValue, DirectoryValue, FileValue } from "@wf/protocol";
import picomatch from "picomatch";
import { datasetValue, directoryValue } from "./composite-value.ts";
import { readDatasetFolder } from "./dataset-folder.ts";
import type { ColumnKinds } from "./dataset-layout.ts";
import type { HashCache } from "./hash-cache.ts";
import { ingest, type StoredFile } from "./ingest.ts";
import { realFolder } from "./input-folder.ts";
import type { ObjectStore } from "./object-store.ts";
import { withUniqueNames } from "./unique-names.ts";
import { walkFolder } from "./walk-folder.ts";

export interface ImportOptions {
  readonly signal?: AbortSignal;
}

export interface ImportTreeOptions extends ImportOptions {
  /** Globs of what else to leave out. Without a slash they match names at any depth, as in `.gitignore`. */
  readonly ignore?: readonly string[];
}

/** Parts of a code folder that no result may depend on. */
const IGNORED_CODE = ["__pycache__", "*.pyc", ".git", "node_modules", ".wf", ".venv"];

/**
 * Brings the user's data into the store, as copies that tasks can be handed without a risk to the originals.
 * Law: equal content and names make an equal value, wherever the data lay.
 */
export class Importer {
  readonly #objects: ObjectStore;
  readonly #hashes: HashCache;

  constructor(objects: ObjectStore, hashes: HashCache) {
    this.#objects = objects;
    this.#hashes = hashes;
  }

  async importFile(path: string, options: ImportOptions = {}): Promise<FileValue> {
    const absolute = resolve(path);
    const [{ hash, size }] = (await this.#ingest([absolute], options)) as [StoredFile];
    return { kind: "file", hash, size, name: basename(absolute) };
  }

  /** Every file below the folder, and the folders that hold nothing. */
  async importDirectory(path: string, options: ImportOptions = {}): Promise<DirectoryValue> {
    return this.#importFolder(path, undefined, options);
  }

  /** A task's code: as a directory, without caches, environments, repositories and folders that hold nothing. */
  async importTree(folder: string, options: ImportTreeOptions = {}): Promise<DirectoryValue> {
    const isIgnored = picomatch([...IGNORED_CODE, ...(options.ignore ?? []).map((glob) => glob.replace(/\/$/, ""))], {
      dot: true,
      basename: true,
    });
    return this.#importFolder(folder, (path) => isIgnored(path), options);
  }

  async importDataset(path: string, columns: ColumnKinds, options: ImportOptions = {}): Promise<DatasetValue> {
    const found = await readDatasetFolder(realFolder(path), columns);
    const fileColumns = Object.keys(columns).filter((column) => columns[column] === "file");
    const cells = found.flatMap((row) => fileColumns.map((column) => row[column] as { source: string }));
    const stored = (
      await this.#ingest(
        cells.map(({ source }) => source),
        options,
      )
    ).values();
    const rows = found.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, cell]) => {
          if ("value" in cell) return [column, cell.value];
          const { hash, size } = stored.next().value as StoredFile;
          return [column, { hash, size, name: cell.name }];
        }),
      ),
    );
    return datasetValue(this.#objects, columns, withUniqueNames(rows, fileColumns));
  }

  async #importFolder(
    path: string,
    isIgnored: ((path: string) => boolean) | undefined,
    options: ImportOptions,
  ): Promise<DirectoryValue> {
    const root = realFolder(path);
    const walk = { storeRoot: this.#objects.root, signal: options.signal, ...(isIgnored && { isIgnored }) };
    const { files, emptyFolders } = await walkFolder(root, walk);
    const stored = await this.#ingest(
      files.map(({ source }) => source),
      options,
    );
    return directoryValue(
      this.#objects,
      files.map(({ path: relative }, index) => ({ path: relative, ...(stored[index] as StoredFile) })),
      // Git keeps no empty folders: a clone of the code has the same key.
      isIgnored === undefined ? emptyFolders : [],
    );
  }

  #ingest(paths: readonly string[], options: ImportOptions): Promise<readonly StoredFile[]> {
    return ingest(this.#objects, this.#hashes, paths, options.signal);
  }
}
