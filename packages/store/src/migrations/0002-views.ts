/**
 * What people ask, in their words: tables are plural and for wf, views are singular and for people. Views have names
 * instead of row numbers and units in their column names; `mb` is 1,000,000 bytes and `gb` is 1,000 of those.
 * Also the indexes that walk from an artifact to the tasks that used and made it.
 *
 * As in the tables, one column stands on one line and ends with what it means.
 */
export const sql = `
CREATE INDEX used_artifact ON used (artifact_id);
CREATE INDEX made_artifact ON made (artifact_id, stage_id);
CREATE INDEX run_artifacts_artifact ON run_artifacts (artifact_id);

CREATE VIEW run AS SELECT -- Runs.
  runs.name AS run, -- The run.
  workflows.name AS workflow, -- Its workflow.
  runs.number AS number, -- Counts the runs of the workflow.
  runs.site AS site, -- Where it runs.
  runs.status AS status, -- created, running, succeeded, failed, cancelled or stopped.
  datetime(runs.created_at, 'unixepoch') AS created, -- When it entered the store (UTC, as text).
  datetime(runs.started_at, 'unixepoch') AS started, -- When it was first taken up.
  datetime(runs.finished_at, 'unixepoch') AS finished, -- When it ended.
  runs.finished_at - runs.started_at AS seconds, -- From first start to end.
  runs.params AS params, -- JSON: the parameters.
  runs.inputs AS inputs, -- JSON: the inputs.
  runs.outputs AS outputs, -- JSON: the outputs.
  runs.metrics AS metrics, -- JSON: the metrics.
  runs.error AS error, -- JSON: why it failed.
  workflows.file AS file, -- The workflow's file.
  workflows.hash AS bundle, -- Hash of the bundled source.
  runs.git_commit AS git_commit, -- Commit.
  runs.git_branch AS git_branch, -- Branch.
  runs.git_diff_hash IS NOT NULL AS git_dirty -- 1 if there were uncommitted changes.
FROM runs JOIN workflows ON workflows.id = runs.workflow_id;

CREATE VIEW stage AS SELECT -- Stages of runs.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  stages.task AS task, -- The declared task.
  stages.fits AS fits, -- 1 if it fits.
  stages.position AS position, -- Order.
  stages.resources AS resources -- JSON: what each task asks for.
FROM stages JOIN runs ON runs.id = stages.run_id;

CREATE VIEW edge AS SELECT -- Which stage feeds which.
  runs.name AS run, -- The run.
  source.name AS from_stage, -- The stage that makes.
  target.name AS to_stage -- The stage that uses.
FROM edges
JOIN stages AS source ON source.id = edges.from_stage_id
JOIN stages AS target ON target.id = edges.to_stage_id
JOIN runs ON runs.id = source.run_id;

CREATE VIEW task AS SELECT -- Tasks of runs.
  runs.name AS run, -- The run.
  workflows.name AS workflow, -- Its workflow.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  tasks.index_path AS index_path, -- JSON: indices in the expansions around it.
  tasks.state AS state, -- ready, submitted, running, done, cached, failed, skipped or cancelled.
  stages.fits AS fits, -- 1 if it fits.
  tasks.cache_key AS key, -- Its cache key.
  tasks.cached_from_run AS cached_from_run, -- Where its outputs come from.
  tasks.cached_from_task AS cached_from_task, -- Likewise.
  datetime(tasks.ready_at, 'unixepoch') AS ready, -- When its inputs were known (UTC, as text).
  datetime(tasks.ended_at, 'unixepoch') AS ended, -- When it ended.
  (SELECT count(*) FROM attempts WHERE attempts.task_id = tasks.id) AS attempts, -- How often it was tried.
  task_details.params AS params, -- JSON: its parameters.
  tasks.outputs AS outputs, -- JSON: its outputs.
  tasks.metrics AS metrics, -- JSON: the last value of each metric.
  tasks.cause AS cause -- JSON: why it failed, was skipped or was cancelled.
FROM tasks
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
JOIN workflows ON workflows.id = runs.workflow_id
LEFT JOIN task_details ON task_details.task_id = tasks.id;

CREATE VIEW key_part AS SELECT -- The named parts of the tasks' cache keys.
  runs.name AS run, -- The run.
  tasks.name AS task, -- The task.
  part.value ->> 'name' AS part, -- What the part stands for.
  part.value ->> 'hash' AS hash, -- Its hash.
  part.value ->> 'text' AS text -- It in words, where that is short.
FROM task_details
JOIN tasks ON tasks.id = task_details.task_id
JOIN runs ON runs.id = tasks.run_id
JOIN json_each(task_details.key_parts) AS part;

CREATE VIEW job AS SELECT -- Jobs of runs.
  runs.name AS run, -- The run.
  jobs.name AS job, -- The job.
  jobs.kind AS kind, -- compute, or the kind of an auxiliary job.
  jobs.tasks AS tasks, -- How many tasks it carries.
  datetime(jobs.submitted_at, 'unixepoch') AS submitted, -- When it was handed over (UTC, as text).
  jobs.resources AS resources -- JSON: what it asks for.
FROM jobs JOIN runs ON runs.id = jobs.run_id;

CREATE VIEW attempt AS SELECT -- Attempts, with what they used.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  attempts.number AS number, -- Counts the attempts of the task.
  jobs.name AS job, -- The job that carried it.
  attempts.state AS state, -- submitted, running, succeeded or failed.
  attempts.failure_class AS failure, -- Why it failed.
  attempts.failure_message AS message, -- The same in words.
  attempts.exit_code AS exit_code, -- Exit status.
  attempts.signal AS signal, -- Signal that ended it.
  attempts.host AS host, -- Machine.
  attempts.pid AS pid, -- Process.
  datetime(attempts.submitted_at, 'unixepoch') AS submitted, -- When it was handed over (UTC, as text).
  datetime(attempts.started_at, 'unixepoch') AS started, -- When its command started.
  datetime(attempts.ended_at, 'unixepoch') AS ended, -- When its command ended.
  attempts.started_at - attempts.submitted_at AS wait_seconds, -- From handed over to started.
  attempts.wall_seconds AS wall_seconds, -- From start to end.
  attempts.user_seconds AS user_seconds, -- CPU time in user mode.
  attempts.system_seconds AS system_seconds, -- CPU time in the kernel.
  attempts.cpu_percent AS cpu_percent, -- Average; 100 is one core.
  attempts.peak_memory_bytes / 1e6 AS peak_memory_mb, -- Peak memory.
  attempts.read_bytes / 1e6 AS read_mb, -- Read through the page cache.
  attempts.written_bytes / 1e6 AS written_mb, -- Written through the page cache.
  attempts.disk_read_bytes / 1e6 AS disk_read_mb, -- Read from the disk.
  attempts.disk_written_bytes / 1e6 AS disk_written_mb, -- Written to the disk.
  attempts.gpu_percent AS gpu_percent, -- Average over its GPUs.
  attempts.peak_gpu_memory_bytes / 1e6 AS peak_gpu_memory_mb, -- Peak GPU memory.
  attempts.gpus AS gpus, -- JSON: the GPUs that it was given.
  attempts.voluntary_switches AS voluntary_switches, -- Context switches because it waited.
  attempts.involuntary_switches AS involuntary_switches, -- Context switches because its time was up.
  attempts.major_faults AS major_faults, -- Page faults that needed the disk.
  attempts.minor_faults AS minor_faults, -- Page faults that did not.
  attempts.staged_in_files AS staged_in_files, -- Files put into the sandbox.
  attempts.staged_in_bytes / 1e6 AS staged_in_mb, -- Their size.
  attempts.staged_in_seconds AS staged_in_seconds, -- The time that took.
  attempts.staged_out_files AS staged_out_files, -- Files published.
  attempts.staged_out_bytes / 1e6 AS staged_out_mb, -- Their size.
  attempts.staged_out_seconds AS staged_out_seconds, -- The time that took.
  attempts.leftover_processes AS leftover_processes, -- Processes that it left behind.
  attempts.undeclared AS undeclared -- JSON: files that it did not declare.
FROM attempts
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN jobs ON jobs.id = attempts.job_id
JOIN runs ON runs.id = tasks.run_id;

CREATE VIEW series_point AS SELECT -- What attempts used over time.
  runs.name AS run, -- The run.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  point.value ->> 0 AS seconds, -- Since its start.
  point.value ->> 1 AS cpu_percent, -- CPU; 100 is one core.
  (point.value ->> 2) / 1e6 AS memory_mb, -- Memory of the tree.
  (point.value ->> 3) / 1e6 AS read_mb, -- Read so far.
  (point.value ->> 4) / 1e6 AS written_mb, -- Written so far.
  point.value ->> 5 AS gpu_percent, -- GPU.
  (point.value ->> 6) / 1e6 AS gpu_memory_mb -- GPU memory.
FROM series
JOIN attempts ON attempts.id = series.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN runs ON runs.id = tasks.run_id
JOIN json_each(series.points) AS point;

CREATE VIEW metric AS SELECT -- What tasks reported.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  metrics.step AS step, -- Counts the reported lines, from 0.
  metrics.name AS name, -- The metric.
  metrics.value AS value, -- The number; 1 and 0 for true and false.
  metrics.text AS text, -- The text, or true or false.
  datetime(metrics.recorded_at, 'unixepoch') AS recorded -- When it entered the store (UTC, as text).
FROM metrics
JOIN attempts ON attempts.id = metrics.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id;

CREATE VIEW artifact AS SELECT -- Content that was used or made.
  hash AS hash, -- Content hash.
  kind AS kind, -- file, directory, dataset, json or list.
  name AS name, -- Name of a file when it was first seen.
  size_bytes / 1e6 AS size_mb, -- Its size.
  files AS files, -- Files in a directory or dataset.
  rows AS rows, -- Rows of a dataset.
  items AS items, -- Items of a list.
  datetime(first_seen_at, 'unixepoch') AS first_seen -- When it entered the store (UTC, as text).
FROM artifacts;

CREATE VIEW input AS SELECT -- What tasks were given.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  stages.fits AS fits, -- 1 if the task fits.
  used.name AS input, -- The input.
  used.splits AS splits, -- JSON: which splits are in it.
  used.carried AS carried, -- 1 if it was staged but declared unread.
  artifacts.hash AS hash, -- Content hash; NULL if the input was absent.
  artifacts.kind AS kind, -- file, directory, dataset, json or list.
  artifacts.size_bytes / 1e6 AS size_mb -- Its size.
FROM used
JOIN tasks ON tasks.id = used.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
LEFT JOIN artifacts ON artifacts.id = used.artifact_id;

CREATE VIEW output AS SELECT -- What tasks made or took from the cache.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  made.name AS output, -- The output.
  made.splits AS splits, -- JSON: which splits are in it.
  artifacts.hash AS hash, -- Content hash; NULL if the output is absent.
  artifacts.kind AS kind, -- file, directory, dataset, json or list.
  artifacts.size_bytes / 1e6 AS size_mb -- Its size.
FROM made
JOIN tasks ON tasks.id = made.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
LEFT JOIN artifacts ON artifacts.id = made.artifact_id;

CREATE VIEW lineage AS SELECT -- Which output reached which input, one step: see "How lineage is found".
  runs.name AS run, -- The run.
  source.name AS from_stage, -- The stage that made it.
  maker.name AS from_task, -- The task that made it.
  made.name AS output, -- Its output.
  made.splits AS output_splits, -- JSON: the splits of the output.
  target.name AS to_stage, -- The stage that used it.
  user.name AS to_task, -- The task that used it.
  used.name AS input, -- Its input.
  used.splits AS input_splits, -- JSON: the splits of the input.
  used.carried AS carried, -- 1 if it was staged but declared unread.
  artifacts.hash AS hash -- Content hash of what was made.
FROM used
JOIN tasks AS user ON user.id = used.task_id
JOIN stages AS target ON target.id = user.stage_id
JOIN runs ON runs.id = user.run_id
JOIN edges ON edges.to_stage_id = user.stage_id
JOIN json_each('[0, 1]') AS way -- 0: the artifact itself; 1: what it consists of. (A UNION could not be used in a recursion.)
LEFT JOIN origins ON way.value = 1 AND origins.artifact_id = used.artifact_id
CROSS JOIN made ON made.artifact_id = iif(way.value = 0, used.artifact_id, origins.origin_id)
  AND made.stage_id = edges.from_stage_id
  AND made.task_id = coalesce(
    (
      SELECT twin.id FROM tasks AS twin CROSS JOIN made AS same ON same.task_id = twin.id
      WHERE twin.stage_id = edges.from_stage_id AND twin.index_path = user.index_path AND twin.id <> user.id
        AND same.artifact_id = iif(way.value = 0, used.artifact_id, origins.origin_id)
        AND same.stage_id = edges.from_stage_id
    ),
    (
      SELECT same.task_id FROM made AS same
      WHERE same.artifact_id = iif(way.value = 0, used.artifact_id, origins.origin_id)
        AND same.stage_id = edges.from_stage_id AND same.task_id <> user.id
      ORDER BY same.task_id LIMIT 1
    )
  )
JOIN stages AS source ON source.id = made.stage_id
JOIN tasks AS maker ON maker.id = made.task_id
JOIN artifacts ON artifacts.id = made.artifact_id;

CREATE VIEW transfer AS SELECT -- Data that moved.
  runs.name AS run, -- The run.
  NULL AS attempt, -- The attempt that staged; NULL for the run as a whole.
  transfers.kind AS kind, -- stage-in, stage-out, ingest or a movement between sites.
  transfers.files AS files, -- How many files.
  transfers.bytes / 1e6 AS mb, -- Their size.
  transfers.seconds AS seconds, -- The time it took.
  datetime(transfers.ended_at, 'unixepoch') AS ended -- When it was done (UTC, as text).
FROM transfers JOIN runs ON runs.id = transfers.run_id
UNION ALL
SELECT runs.name, attempts.name, 'stage-in', staged_in_files, staged_in_bytes / 1e6, staged_in_seconds,
  datetime(attempts.started_at, 'unixepoch')
FROM attempts JOIN tasks ON tasks.id = attempts.task_id JOIN runs ON runs.id = tasks.run_id
WHERE staged_in_files > 0
UNION ALL
SELECT runs.name, attempts.name, 'stage-out', staged_out_files, staged_out_bytes / 1e6, staged_out_seconds,
  datetime(attempts.ended_at, 'unixepoch')
FROM attempts JOIN tasks ON tasks.id = attempts.task_id JOIN runs ON runs.id = tasks.run_id
WHERE staged_out_files > 0;

CREATE VIEW event AS SELECT -- What happened.
  runs.name AS run, -- The run.
  events.seq AS seq, -- Counts the events of the run.
  datetime(events.at, 'unixepoch') AS time, -- When (UTC, as text).
  events.type AS type, -- What.
  events.data AS data -- JSON: the rest.
FROM events JOIN runs ON runs.id = events.run_id;

CREATE VIEW stage_trace AS SELECT -- What each stage of a run used: every attempt that ended counts, cached tasks do not.
  runs.name AS run, -- The run.
  stages.position AS position, -- Order.
  stages.name AS stage, -- The stage.
  count(DISTINCT tasks.id) AS tasks, -- Tasks so far.
  count(DISTINCT tasks.id) FILTER (WHERE tasks.state = 'done') AS done, -- Tasks that ran and succeeded.
  count(DISTINCT tasks.id) FILTER (WHERE tasks.state = 'cached') AS cached, -- Tasks that were spared.
  count(DISTINCT tasks.id) FILTER (WHERE tasks.state = 'failed') AS failed, -- Tasks that failed.
  count(attempts.id) AS attempts, -- Attempts that ended.
  sum(attempts.read_bytes) / 1e6 AS read_mb, -- Read through the page cache, all attempts together.
  sum(attempts.written_bytes) / 1e6 AS written_mb, -- Written through the page cache, all attempts together.
  sum(attempts.cpu_percent * attempts.wall_seconds)
    / nullif(sum(attempts.wall_seconds) FILTER (WHERE attempts.cpu_percent IS NOT NULL), 0) AS cpu_percent, -- Average over time; 100 is one core.
  max(attempts.peak_memory_bytes) / 1e6 AS peak_memory_mb, -- Highest of all attempts.
  sum(attempts.gpu_percent * attempts.wall_seconds)
    / nullif(sum(attempts.wall_seconds) FILTER (WHERE attempts.gpu_percent IS NOT NULL), 0) AS gpu_percent, -- Average over time, of attempts with a GPU.
  max(attempts.peak_gpu_memory_bytes) / 1e6 AS peak_gpu_memory_mb, -- Highest of all attempts.
  avg(attempts.wall_seconds) AS average_seconds, -- Average time of an attempt.
  max(attempts.wall_seconds) AS longest_seconds -- Time of the longest attempt.
FROM stages
JOIN runs ON runs.id = stages.run_id
LEFT JOIN tasks ON tasks.stage_id = stages.id
LEFT JOIN attempts ON attempts.task_id = tasks.id AND attempts.ended_at IS NOT NULL
GROUP BY runs.name, stages.position, stages.name;

CREATE VIEW run_trace AS SELECT -- What each run used in all: every attempt that ended counts, cached tasks do not.
  runs.name AS run, -- The run.
  count(DISTINCT tasks.id) AS tasks, -- Tasks so far.
  count(DISTINCT tasks.id) FILTER (WHERE tasks.state = 'done') AS done, -- Tasks that ran and succeeded.
  count(DISTINCT tasks.id) FILTER (WHERE tasks.state = 'cached') AS cached, -- Tasks that were spared.
  count(DISTINCT tasks.id) FILTER (WHERE tasks.state = 'failed') AS failed, -- Tasks that failed.
  count(attempts.id) AS attempts, -- Attempts that ended.
  sum(attempts.user_seconds + attempts.system_seconds) / 3600 AS cpu_hours, -- CPU time.
  sum(attempts.wall_seconds * json_array_length(attempts.gpus)) / 3600 AS gpu_hours, -- Time that GPUs were held.
  sum(attempts.read_bytes) / 1e9 AS read_gb, -- Read through the page cache.
  sum(attempts.written_bytes) / 1e9 AS written_gb, -- Written through the page cache.
  max(attempts.peak_memory_bytes) / 1e6 AS peak_memory_mb, -- Highest of all attempts.
  max(attempts.peak_gpu_memory_bytes) / 1e6 AS peak_gpu_memory_mb, -- Highest of all attempts.
  max(runs.finished_at) - max(runs.started_at) AS seconds -- From first start to end.
FROM runs
LEFT JOIN tasks ON tasks.run_id = runs.id
LEFT JOIN attempts ON attempts.task_id = tasks.id AND attempts.ended_at IS NOT NULL
GROUP BY runs.name;
`;
