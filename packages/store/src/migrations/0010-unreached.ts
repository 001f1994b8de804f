/** What a job did not come to took no time, and counts for no average. */
export const sql = `
DROP VIEW stage_trace;
DROP VIEW run_trace;

CREATE VIEW stage_trace AS SELECT -- What each stage of a run used: every attempt that ended counts; cached tasks do not, nor does what a job did not come to.
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
  AND attempts.failure_class IS NOT 'not-reached'
GROUP BY runs.name, stages.position, stages.name;

CREATE VIEW run_trace AS SELECT -- What each run used in all: every attempt that ended counts; cached tasks do not, nor does what a job did not come to.
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
  AND attempts.failure_class IS NOT 'not-reached'
GROUP BY runs.name;
`;
