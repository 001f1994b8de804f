import { randomInt } from "node:crypto";
import type { Json, Value } from "@wf/protocol";
import { ArtifactTable } from "./artifact-table.ts";
import type { Clock } from "./clock.ts";
import type { Connection } from "./connection.ts";

/** Of the repository that the workflow's file lies in. */
export interface GitState {
  readonly commit: string | null;
  /** Null when detached. */
  readonly branch: string | null;
  /** SHA-256 of the uncommitted changes; null when there are none. */
  readonly diffHash: string | null;
  /** SHA-256 of each lock file by its path. */
  readonly locks: Readonly<Record<string, string>>;
}

export interface NewRun {
  readonly workflow: {
    readonly name: string;
    readonly file: string;
    /** SHA-256 of `source`. */
    readonly hash: string;
    /** The bundle that a resumed run replays. */
    readonly source: string;
  };
  readonly params: Json;
  readonly inputs: Readonly<Record<string, Value>>;
  readonly site: string;
  readonly options: Json;
  readonly plan: Json;
  /** Null outside of a repository. */
  readonly git: GitState | null;
}

/** Stores a run before anything of it happens. Returns its name: `<workflow>-<n>-<4 random characters>`. */
export function createRun(connection: Connection, now: Clock, run: NewRun): string {
  const { db } = connection;
  const { workflow, git } = run;
  return connection.write(() => {
    const workflowId = db
      .prepare(
        `INSERT INTO workflows (hash, name, file, source, first_seen_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (hash, file) DO UPDATE SET name = excluded.name RETURNING id`,
      )
      .pluck()
      .get(workflow.hash, workflow.name, workflow.file, workflow.source, now()) as number;
    const number = db
      .prepare(
        `INSERT INTO run_counters (workflow, last) VALUES (?, 1)
         ON CONFLICT (workflow) DO UPDATE SET last = last + 1 RETURNING last`,
      )
      .pluck()
      .get(workflow.name) as number;
    const name = `${workflow.name}-${number}-${randomSuffix()}`;
    const { lastInsertRowid: runId } = db
      .prepare(
        `INSERT INTO runs (name, workflow_id, number, site, status, created_at, params, inputs, options,
           git_commit, git_branch, git_diff_hash, git_locks)
         VALUES (?, ?, ?, ?, 'created', ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        name,
        workflowId,
        number,
        run.site,
        now(),
        JSON.stringify(run.params),
        JSON.stringify(run.inputs),
        JSON.stringify(run.options),
        git?.commit ?? null,
        git?.branch ?? null,
        git?.diffHash ?? null,
        git === null ? null : JSON.stringify(git.locks),
      );
    db.prepare("INSERT INTO plans (run_id, document) VALUES (?, ?)").run(runId, JSON.stringify(run.plan));
    const artifacts = new ArtifactTable(connection, now);
    const given = db.prepare("INSERT INTO run_artifacts (run_id, role, name, artifact_id) VALUES (?, 'input', ?, ?)");
    for (const [input, value] of Object.entries(run.inputs)) given.run(runId, input, artifacts.idOf(value));
    return name;
  });
}

function randomSuffix(): string {
  return randomInt(36 ** 4)
    .toString(36)
    .padStart(4, "0");
}
