import { type Json, WfError } from "@wf/protocol";
import { z } from "zod";
import type { Connection } from "./connection.ts";
import { ARTIFACT_COLUMNS, type StoredArtifact } from "./read-artifacts.ts";
import { parsed, readRun } from "./read-runs.ts";

const figures = {
  hash: z.string(),
  kind: z.string(),
  sizeBytes: z.number(),
  files: z.number().nullable(),
  rows: z.number().nullable(),
};

/** Where a version comes from, as its run told it. It is copied, because models outlive runs. */
export const ModelLineage = z.object({
  workflow: z.string(),
  file: z.string(),
  /** SHA-256 of the bundled workflow. */
  bundle: z.string(),
  site: z.string(),
  params: z.record(z.string(), z.unknown()),
  inputs: z.array(z.object({ name: z.string(), ...figures })),
  git: z
    .object({ commit: z.string().nullable(), branch: z.string().nullable(), diffHash: z.string().nullable() })
    .nullable(),
  /** The task that made it; null for an input of the workflow. */
  task: z.string().nullable(),
  taskParams: z.record(z.string(), z.unknown()),
  /** Which splits of the data are in it. */
  splits: z.array(z.string()),
  /** What the fitting stages behind it were given; without one, what the task itself was given. */
  data: z.array(
    z.object({
      stage: z.string(),
      input: z.string(),
      splits: z.array(z.string()),
      carried: z.boolean(),
      ...figures,
      /** How many different artifacts the tasks of the stage were given; the others are alike. */
      artifacts: z.number(),
    }),
  ),
});
export type ModelLineage = z.infer<typeof ModelLineage>;

interface Maker {
  readonly id: number;
  readonly stageId: number;
  readonly task: string;
  readonly params: string | null;
}

/** Of content that the run has as an output of a task, or as an input. */
export function lineageOf(
  connection: Connection,
  runId: number,
  { artifactId, splits }: { readonly artifactId: number; readonly splits: readonly string[] },
): ModelLineage {
  const { db } = connection;
  const { workflow, file, bundle, site, params, git } = readRun(connection, runId);
  const maker = db
    .prepare<[number, number], Maker>(
      `SELECT tasks.id, tasks.stage_id AS stageId, tasks.name AS task, task_details.params
       FROM made JOIN tasks ON tasks.id = made.task_id LEFT JOIN task_details ON task_details.task_id = tasks.id
       WHERE made.artifact_id = ? AND tasks.run_id = ? ORDER BY tasks.id LIMIT 1`,
    )
    .get(artifactId, runId);
  return {
    workflow,
    file,
    bundle,
    site,
    params: params as Record<string, Json>,
    inputs: inputsOf(connection, runId),
    git: git && { commit: git.commit, branch: git.branch, diffHash: git.diffHash },
    task: maker?.task ?? null,
    taskParams: parsed<Record<string, Json>>(maker?.params ?? null) ?? {},
    splits: [...splits],
    data: maker === undefined ? [] : trainingData(connection, maker),
  };
}

function inputsOf(connection: Connection, runId: number): ModelLineage["inputs"] {
  return connection.db
    .prepare<[number], StoredArtifact & { input: string }>(
      `SELECT run_artifacts.name AS input, ${ARTIFACT_COLUMNS}
       FROM run_artifacts JOIN artifacts ON artifacts.id = artifact_id
       WHERE run_id = ? AND role = 'input' ORDER BY run_artifacts.name`,
    )
    .all(runId)
    .map(({ input, hash, kind, sizeBytes, files, rows }) => ({ name: input, hash, kind, sizeBytes, files, rows }));
}

interface DataRow extends StoredArtifact {
  readonly stage: string;
  readonly input: string;
  readonly splits: string;
  readonly carried: number;
  readonly artifacts: number;
}

/**
 * By stage, not by task: a search may stand on thousands of fits. Of the maker's own stage only the maker counts. What
 * a task is given of its own code is no data; no input can have such a name.
 */
function trainingData(connection: Connection, maker: Maker): ModelLineage["data"] {
  const { db } = connection;
  const read = db.prepare<unknown[], DataRow>(
    `WITH RECURSIVE behind(id) AS (
       VALUES (@stageId) UNION SELECT from_stage_id FROM edges JOIN behind ON to_stage_id = behind.id
     )
     SELECT stages.name AS stage, used.name AS input, used.splits, max(used.carried) AS carried,
       count(DISTINCT artifacts.id) AS artifacts, min(artifacts.id), ${ARTIFACT_COLUMNS}
     FROM behind JOIN stages ON stages.id = behind.id
     JOIN tasks ON tasks.stage_id = stages.id AND (stages.id <> @stageId OR tasks.id = @id)
     JOIN used ON used.task_id = tasks.id JOIN artifacts ON artifacts.id = used.artifact_id
     WHERE stages.fits = @fits AND (@fits = 1 OR stages.id = @stageId) AND used.name NOT LIKE 'code %'
     GROUP BY stages.id, used.name, used.splits ORDER BY stages.position, used.name`,
  );
  const { id, stageId } = maker;
  const fitted = read.all({ id, stageId, fits: 1 });
  const rows = fitted.length > 0 ? fitted : read.all({ id, stageId, fits: 0 });
  return rows.map(({ stage, input, splits, carried, hash, kind, sizeBytes, files, rows, artifacts }) => ({
    stage,
    input,
    splits: JSON.parse(splits),
    carried: carried === 1,
    hash,
    kind,
    sizeBytes,
    files,
    rows,
    artifacts,
  }));
}

/** Checked, because an older wf may have written it. */
export function parseLineage(text: string): ModelLineage {
  const parsedLineage = ModelLineage.safeParse(JSON.parse(text));
  if (parsedLineage.success) return parsedLineage.data;
  throw new WfError("WF_STORE_OPEN", "The lineage of a model in the store cannot be read.", {
    cause: parsedLineage.error,
  });
}
