/** Resumable tasks: the parts of their work, and what each of them left for the next. */
export const sql = `
CREATE TABLE slices ( -- Attempts of resumable tasks: which part of the work each of them is.
  attempt_id INTEGER PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt.
  slice INTEGER NOT NULL, -- Counts the parts, from 1. An attempt that left no newer checkpoint is followed by one with the same number.
  checkpoint_id INTEGER REFERENCES artifacts (id), -- What it left, if newer than what it began with. Its content is kept until a newer one is there or the task is done.
  file TEXT -- The checkpoint's name; NULL if there is none or it is a directory.
) STRICT;
CREATE INDEX slices_checkpoint ON slices (checkpoint_id);

CREATE VIEW slice AS SELECT -- Parts of the work of resumable tasks.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  slices.slice AS slice, -- Counts the parts, from 1.
  attempts.name AS attempt, -- The attempt.
  attempts.state AS state, -- submitted, running, succeeded or failed.
  attempts.failure_class AS failure, -- Why it ended, if the task was not finished.
  attempts.host AS host, -- Machine.
  attempts.wall_seconds AS wall_seconds, -- From start to end.
  sum(attempts.wall_seconds) OVER (PARTITION BY tasks.id ORDER BY attempts.number) AS task_seconds, -- Of all attempts of the task so far.
  artifacts.hash AS checkpoint -- Content hash of what it left for the next one.
FROM slices
JOIN attempts ON attempts.id = slices.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
LEFT JOIN artifacts ON artifacts.id = slices.checkpoint_id;
`;
