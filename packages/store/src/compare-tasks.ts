import type { Connection } from "./connection.ts";

/** How the tasks of a stage in one run compare with their namesakes in another one, by their keys. */
export interface StageDifference {
  readonly stage: string;
  readonly same: number;
  readonly differ: number;
  /** Tasks that are in both, of which one has no key: it may not be reused. */
  readonly keyless: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** The first task whose key differs. */
  readonly example: string | null;
}

/** Stage by stage, in the order of the first run, then those that only the second one has. Skipped tasks do not count. */
export function compareTasks(connection: Connection, firstId: number, secondId: number): StageDifference[] {
  const read = connection.db.prepare<unknown[], StageDifference>(
    `WITH one AS (
       SELECT tasks.id, tasks.name, cache_key, stages.name AS stage, position
       FROM tasks JOIN stages ON stages.id = stage_id WHERE tasks.run_id = @firstId AND state <> 'skipped'
     ), two AS (
       SELECT tasks.id, tasks.name, cache_key, stages.name AS stage, position
       FROM tasks JOIN stages ON stages.id = stage_id WHERE tasks.run_id = @secondId AND state <> 'skipped'
     ), pairs AS (
       SELECT one.stage, one.position AS place, 0 AS isNew, one.id, one.name, one.cache_key AS first,
         two.cache_key AS second, two.id IS NULL AS onlyFirst, 0 AS onlySecond
       FROM one LEFT JOIN two ON two.name = one.name
       UNION ALL
       SELECT two.stage, two.position, two.stage NOT IN (SELECT stage FROM one), two.id, two.name, NULL, NULL, 0, 1
       FROM two WHERE two.name NOT IN (SELECT name FROM one)
     )
     SELECT stage, count(*) FILTER (WHERE first = second) AS same, count(*) FILTER (WHERE first <> second) AS differ,
       count(*) FILTER (WHERE NOT onlyFirst AND NOT onlySecond AND (first IS NULL OR second IS NULL)) AS keyless,
       sum(onlyFirst) AS onlyFirst, sum(onlySecond) AS onlySecond,
       (SELECT name FROM pairs AS other WHERE other.stage = pairs.stage AND first <> second ORDER BY id LIMIT 1) AS example
     FROM pairs GROUP BY stage ORDER BY min(isNew), min(place)`,
  );
  return connection.read(() => read.all({ firstId, secondId }));
}
