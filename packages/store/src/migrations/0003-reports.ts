/**
 * What tasks say of themselves: numbers by the steps that they name themselves, pictures, summaries, and what of it
 * made no sense. Until now a step was the number of its line, and `step` a metric like any other.
 */
export const sql = `
DROP VIEW metric;
ALTER TABLE metrics RENAME TO metrics_before;

CREATE TABLE metrics ( -- What a task reported while it ran.
  attempt_id INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt that reported it.
  line INTEGER NOT NULL, -- Counts the reported lines, from 0.
  name TEXT NOT NULL, -- The metric.
  step REAL, -- The step that the line names; NULL where it names none.
  value REAL, -- The number; 1 and 0 for true and false; NULL for a text.
  text TEXT, -- The text (NaN and infinities too), or true or false; NULL for a number.
  recorded_at REAL NOT NULL, -- When it entered the store.
  PRIMARY KEY (attempt_id, line, name)
) STRICT, WITHOUT ROWID;

INSERT INTO metrics (attempt_id, line, name, step, value, text, recorded_at)
SELECT old.attempt_id, old.step, old.name, steps.value, old.value, old.text, old.recorded_at
FROM metrics_before AS old
LEFT JOIN metrics_before AS steps
  ON steps.attempt_id = old.attempt_id AND steps.step = old.step AND steps.name = 'step' AND steps.text IS NULL
WHERE old.name <> 'step' OR old.value IS NULL OR old.text IS NOT NULL;

DROP TABLE metrics_before;

CREATE TABLE pictures ( -- Pictures that a task named while it ran.
  attempt_id INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt that named it.
  position INTEGER NOT NULL, -- The order in which they were named, from 0.
  name TEXT NOT NULL, -- What the task calls it.
  step REAL, -- The step that it belongs to; NULL where none was named.
  path TEXT NOT NULL, -- Where the task wrote it.
  file TEXT NOT NULL, -- Its name in the folder of the attempt's pictures.
  artifact_id INTEGER NOT NULL REFERENCES artifacts (id), -- Its content.
  PRIMARY KEY (attempt_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX pictures_artifact ON pictures (artifact_id);

CREATE TABLE summaries ( -- Other facts that a task stated of itself; no row if it stated none.
  attempt_id INTEGER PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt.
  facts TEXT NOT NULL -- JSON: the facts by name.
) STRICT;

CREATE TABLE warnings ( -- Reports of a task that made no sense.
  attempt_id INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt.
  position INTEGER NOT NULL, -- Their order, from 0.
  message TEXT NOT NULL, -- What is wrong, in words.
  PRIMARY KEY (attempt_id, position)
) STRICT, WITHOUT ROWID;

CREATE VIEW metric AS SELECT -- What tasks reported, step by step.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  coalesce(metrics.step, metrics.line) AS step, -- The step that the line names, else the number of the line.
  metrics.line AS line, -- Counts the reported lines, from 0.
  metrics.name AS name, -- The metric.
  metrics.value AS value, -- The number; 1 and 0 for true and false.
  metrics.text AS text, -- The text (NaN and infinities too), or true or false.
  datetime(metrics.recorded_at, 'unixepoch') AS recorded -- When it entered the store (UTC, as text).
FROM metrics
JOIN attempts ON attempts.id = metrics.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id;

CREATE VIEW metric_series AS SELECT -- Each metric of an attempt over its steps: numbers only.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  metrics.name AS name, -- The metric.
  count(*) AS points, -- How often it was reported.
  min(coalesce(metrics.step, metrics.line)) AS first_step, -- The lowest step.
  max(coalesce(metrics.step, metrics.line)) AS last_step, -- The highest step.
  (
    SELECT one.value FROM metrics AS one WHERE one.attempt_id = metrics.attempt_id AND one.name = metrics.name
      AND one.value IS NOT NULL AND one.text IS NULL ORDER BY one.line LIMIT 1
  ) AS first, -- The value that was reported first.
  (
    SELECT one.value FROM metrics AS one WHERE one.attempt_id = metrics.attempt_id AND one.name = metrics.name
      AND one.value IS NOT NULL AND one.text IS NULL ORDER BY one.line DESC LIMIT 1
  ) AS last, -- The value that was reported last.
  min(metrics.value) AS lowest, -- The lowest value.
  max(metrics.value) AS highest, -- The highest value.
  avg(metrics.value) AS average -- The mean of all values.
FROM metrics
JOIN attempts ON attempts.id = metrics.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
WHERE metrics.value IS NOT NULL AND metrics.text IS NULL
GROUP BY metrics.attempt_id, metrics.name;

CREATE VIEW picture AS SELECT -- Pictures that tasks named.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  pictures.name AS name, -- What the task calls it.
  pictures.step AS step, -- The step that it belongs to.
  pictures.path AS path, -- Where the task wrote it.
  'runs/' || runs.name || '/attempts/' || attempts.name || '/pictures/' || pictures.file AS file, -- Where it lies, seen from the folder of the store.
  artifacts.size_bytes / 1e6 AS size_mb, -- Its size.
  artifacts.hash AS hash -- Content hash.
FROM pictures
JOIN artifacts ON artifacts.id = pictures.artifact_id
JOIN attempts ON attempts.id = pictures.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id;

CREATE VIEW summary AS SELECT -- Other facts that tasks stated of themselves.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  fact.key AS name, -- What it is.
  fact.value AS value -- The value; lists and objects as JSON.
FROM summaries
JOIN attempts ON attempts.id = summaries.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
JOIN json_each(summaries.facts) AS fact;

CREATE VIEW warning AS SELECT -- Reports of tasks that made no sense.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  warnings.message AS message -- What is wrong.
FROM warnings
JOIN attempts ON attempts.id = warnings.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id;
`;
