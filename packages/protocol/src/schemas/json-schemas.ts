import { z } from "zod";
import { JobSpec } from "../jobs/job-spec.ts";
import { siteRunFolder } from "../layout/run-folder.ts";
import { Account } from "../records/account.ts";
import { TaskRecord } from "../records/record.ts";
import { Manifest } from "../values/manifest.ts";
import { Value } from "../values/value.ts";

/** The documents that programs in other languages read or write. */
const DOCUMENTS = { account: Account, job: JobSpec, manifest: Manifest, record: TaskRecord, value: Value };

/**
 * JSON Schema of each, by name. What a function checks is not in it, but for the names and paths of files, which have
 * the formats `plain-name` and `plain-path`. Members that the schema does not name are refused: one that a launcher
 * writes and nobody reads is a mistake.
 */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, schema]) => [name, z.toJSONSchema(schema, { unrepresentable: "any" })]),
  );
}

/** Where a launcher finds and leaves things, seen from the storage of its site. */
export function launcherPaths(): Readonly<Record<string, string>> {
  const run = siteRunFolder("", "RUN");
  const attempt = run.attempt("ATTEMPT");
  return {
    root: run.root,
    attempts: run.attempts,
    attempt: attempt.root,
    sandbox: attempt.sandbox,
    stdout: attempt.stream("stdout"),
    stderr: attempt.stream("stderr"),
    stdoutOfRank: attempt.stream("stdout", 3),
    pictures: attempt.pictures,
    command: attempt.command,
    records: run.records,
    record: run.record("ATTEMPT"),
    lock: run.launcherLock,
    submission: run.submission("TOKEN").root,
    outputOfJob: run.submission("TOKEN").output(7),
    eventLog: run.eventLog,
  };
}
