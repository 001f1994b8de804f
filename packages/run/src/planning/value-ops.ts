import { createHash } from "node:crypto";
import {
  columnItems,
  datasetChunks,
  datasetFromColumns,
  datasetRows,
  directoryFiles,
  mergeDatasets,
  type ObjectStore,
  pickColumns,
  valueHash,
} from "@wf/data";
import { itemsOf, listOf, type Resolved, type ResolvedJson, type ResolvedList, type ValueOps } from "@wf/planner";
import { canonical, type JsonValue, sha256, type Value } from "@wf/protocol";

/** What the planner and the engine may do with manifests, done on the site's content store. */
export function valueOps(objects: ObjectStore): ValueOps {
  const derived = (list: ResolvedList, from: Value, how: string): ResolvedList => ({
    ...list,
    identity: () => sha256(`${how}\n${valueHash(from)}`),
  });
  return {
    rows: (dataset) =>
      derived(listOf(datasetRows(objects, dataset).map((fields) => ({ kind: "record", fields }))), dataset, "rows"),
    chunks: (dataset, size) => derived(listOf(datasetChunks(objects, dataset, size)), dataset, `chunks ${size}`),
    column: (dataset, column) => derived(listOf(columnItems(objects, dataset, column)), dataset, `column ${column}`),
    pick: (dataset, columns) => pickColumns(objects, dataset, columns),
    merge: (datasets, columns) => mergeDatasets(objects, datasets, columns),
    table: (lists, columns) =>
      datasetFromColumns(
        objects,
        Object.fromEntries(
          Object.entries(lists).map(([name, items]) => [
            name,
            items.map((item) => (item.kind === "json" ? objects.putJson(item.value) : item)),
          ]),
        ),
        columns,
      ),
    files: (directory, glob) => derived(listOf(directoryFiles(objects, directory, glob)), directory, `files ${glob}`),
    hash: hashOf,
  };
}

const jsonHashes = new WeakMap<ResolvedJson, string>();

/** A value that many tasks are given, such as the results of earlier rounds, is hashed once. */
function hashOfJson(value: ResolvedJson): string {
  const known = jsonHashes.get(value);
  if (known !== undefined) return known;
  const hash = sha256(`json\n${sha256(canonical(value.value))}`);
  jsonHashes.set(value, hash);
  return hash;
}

function hashOf(value: Resolved): string {
  switch (value.kind) {
    case "json":
      return hashOfJson(value);
    case "list": {
      const digest = createHash("sha256").update("list\n");
      for (let i = 0; i < value.count; i++) digest.update(hashOf(value.at(i)));
      return digest.digest("hex");
    }
    case "record": {
      const fields = Object.entries(value.fields).map(([name, field]) => `${name} ${hashOf(field)}`);
      return sha256(`record\n${fields.sort().join("\n")}`);
    }
    case "unknown":
      return sha256(`unknown\n${value.because}`);
    default:
      return valueHash(value);
  }
}

/** Values as the store keeps them: JSON that was computed on the way gets a place (what a task made has one). */
export function keepValue(objects: ObjectStore, value: Resolved): Value {
  switch (value.kind) {
    case "json":
      return "hash" in value ? (value as JsonValue) : objects.putJson(value.value);
    case "list":
      return { kind: "list", items: itemsOf(value).map((item) => keepValue(objects, item)) };
    case "record":
    case "unknown":
      throw new TypeError(`a ${value.kind} cannot be kept`);
    default:
      return value;
  }
}

/** Back from the store. */
export function resolveValue(value: Value): Resolved {
  return value.kind === "list"
    ? listOf(value.items.map(resolveValue))
    : (value as Exclude<Resolved, ResolvedList> & Value);
}
