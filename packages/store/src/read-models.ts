import { type DirectoryValue, type FileValue, type ModelChoice, showModelChoice, WfError } from "@wf/protocol";
import type { Connection } from "./connection.ts";
import { type ModelLineage, parseLineage } from "./model-lineage.ts";
import type { ModelMetric } from "./model-table.ts";

/** Times are Unix seconds. */
export interface ModelVersion {
  readonly model: string;
  readonly version: number;
  readonly tags: readonly string[];
  readonly value: FileValue | DirectoryValue;
  readonly createdAt: number;
  /** The run that registered it, by name: it may have been deleted since. */
  readonly run: string;
  readonly output: string;
  readonly lineage: ModelLineage;
  /** As they were measured last. */
  readonly metrics: Readonly<Record<string, ModelMetric>>;
  /** Later runs that came to the same content, the newest first. */
  readonly seenAgain: readonly { readonly run: string; readonly at: number }[];
}

interface VersionRow {
  readonly id: number;
  readonly model: string;
  readonly version: number;
  readonly file: string | null;
  readonly hash: string;
  readonly size: number;
  readonly files: number | null;
  readonly createdAt: number;
}

interface SightingRow {
  readonly run: string;
  readonly output: string;
  readonly at: number;
  readonly metrics: string;
  readonly lineage: string;
}

/** By name, the newest version of each first. */
export function listModels(connection: Connection, name?: string | undefined): ModelVersion[] {
  return connection.read(() =>
    connection.db
      .prepare<[string | null], VersionRow>(
        `SELECT model_versions.id, models.name AS model, version, file, hash, size_bytes AS size, files,
           created_at AS createdAt
         FROM models JOIN model_versions ON model_id = models.id JOIN artifacts ON artifacts.id = artifact_id
         WHERE models.name = coalesce(?, models.name) ORDER BY models.name, version DESC`,
      )
      .all(name ?? null)
      .map((row) => versionOf(connection, row)),
  );
}

function versionOf(connection: Connection, { id, file, hash, size, files, ...row }: VersionRow): ModelVersion {
  const { db } = connection;
  const tags = db.prepare<[number], string>("SELECT tag FROM model_tags WHERE version_id = ? ORDER BY tag").pluck();
  const sightings = db
    .prepare<[number], SightingRow>("SELECT * FROM model_sightings WHERE version_id = ? ORDER BY at DESC, run DESC")
    .all(id);
  const first = sightings.at(-1) as SightingRow;
  const measured = sightings.find(({ metrics }) => metrics !== "{}") ?? first;
  return {
    ...row,
    tags: tags.all(id),
    value:
      file === null ? { kind: "directory", hash, size, files: files ?? 0 } : { kind: "file", hash, size, name: file },
    run: first.run,
    output: first.output,
    lineage: parseLineage(first.lineage),
    metrics: JSON.parse(measured.metrics),
    seenAgain: sightings.slice(0, -1).map(({ run, at }) => ({ run, at })),
  };
}

/** The version that is meant. Of two that are equally good the newer one. */
export function chooseModel(connection: Connection, choice: ModelChoice): ModelVersion {
  const versions = listModels(connection, choice.name);
  if (versions.length === 0) throw unknownModel(connection, choice.name);
  const found = chosenFrom(versions, choice);
  if (found !== undefined) return found;
  throw new WfError("WF_MODEL_NOT_FOUND", `The store has no model "${showModelChoice(choice)}".`, {
    hint: `${whatThereIs(versions, choice)}: wf models ${choice.name}`,
  });
}

function chosenFrom(versions: readonly ModelVersion[], choice: ModelChoice): ModelVersion | undefined {
  switch (choice.pick) {
    case "newest":
      return versions[0];
    case "version":
      return versions.find(({ version }) => version === choice.version);
    case "tag":
      return versions.find(({ tags }) => tags.includes(choice.tag));
    case "highest":
    case "lowest": {
      const sign = choice.pick === "highest" ? 1 : -1;
      const scored = versions.flatMap((version) => {
        const value = version.metrics[choice.metric]?.value;
        return value === undefined ? [] : [{ version, score: sign * value }];
      });
      return scored.reduce<(typeof scored)[number] | undefined>(
        (best, one) => (best === undefined || one.score > best.score ? one : best),
        undefined,
      )?.version;
    }
  }
}

function whatThereIs(versions: readonly ModelVersion[], { pick }: ModelChoice): string {
  const list = (names: readonly (string | number)[]) => [...new Set(names)].join(", ") || "none";
  if (pick === "tag") return `Its tags are: ${list(versions.flatMap(({ tags }) => tags))}`;
  if (pick === "version") return `Its versions are: ${list(versions.map(({ version }) => version))}`;
  return `Its metrics are: ${list(versions.flatMap(({ metrics }) => Object.keys(metrics)))}`;
}

function unknownModel(connection: Connection, name: string): WfError {
  const known = connection.db
    .prepare<[], string>(
      "SELECT DISTINCT models.name FROM models JOIN model_versions ON model_id = models.id ORDER BY 1",
    )
    .pluck()
    .all();
  return new WfError("WF_MODEL_NOT_FOUND", `The store has no model "${name}".`, {
    hint:
      known.length === 0
        ? `Run the workflow whose build() returns asModel("${name}", …).`
        : `It has: ${known.join(", ")}.`,
  });
}

/** The versions that are this content. */
export function modelsWith(
  connection: Connection,
  { hash, kind }: { readonly hash: string; readonly kind: string },
): { readonly model: string; readonly version: number }[] {
  const read = connection.db.prepare<[string, string], { model: string; version: number }>(
    `SELECT models.name AS model, version FROM artifacts JOIN model_versions ON artifact_id = artifacts.id
     JOIN models ON models.id = model_id WHERE hash = ? AND kind = ? ORDER BY models.name, version`,
  );
  return connection.read(() => read.all(hash, kind));
}

/** The versions that a run registered or saw again. */
export function modelsOfRun(
  connection: Connection,
  run: string,
): { readonly model: string; readonly version: number }[] {
  const read = connection.db.prepare<[string], { model: string; version: number }>(
    `SELECT models.name AS model, version FROM model_sightings JOIN model_versions ON model_versions.id = version_id
     JOIN models ON models.id = model_id WHERE run = ? ORDER BY models.name`,
  );
  return connection.read(() => read.all(run));
}

/** The runs that a version was an input of, the newest first. */
export function runsUsing(
  connection: Connection,
  { hash, kind }: { readonly hash: string; readonly kind: string },
): string[] {
  const read = connection.db
    .prepare<[string, string], string>(
      `SELECT DISTINCT runs.name FROM artifacts JOIN run_artifacts ON artifact_id = artifacts.id
       JOIN runs ON runs.id = run_id WHERE hash = ? AND kind = ? AND role = 'input' ORDER BY runs.id DESC`,
    )
    .pluck();
  return connection.read(() => read.all(hash, kind));
}
