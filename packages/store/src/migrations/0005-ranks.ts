/** The processes of distributed tasks. What they used together stands with the attempt. */
export const sql = `
CREATE TABLE ranks ( -- One process of a distributed task's attempt. What it did not tell is NULL.
  attempt_id INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt.
  rank INTEGER NOT NULL, -- Its number among all of the attempt, from 0.
  local_rank INTEGER, -- Its number among those of its machine.
  is_cause INTEGER NOT NULL CHECK (is_cause IN (0, 1)), -- 1 if the attempt failed because of it.
  host TEXT, -- Machine that it ran on.
  pid INTEGER, -- Process of its command.
  exit_code INTEGER, -- Exit status of its command.
  signal TEXT, -- Signal that ended its command.
  started_at REAL, -- When its command started.
  ended_at REAL, -- When its command ended.
  wall_seconds REAL, -- From start to end.
  user_seconds REAL, -- CPU time in user mode, of its whole process tree.
  system_seconds REAL, -- CPU time in the kernel, of its whole process tree.
  cpu_percent REAL, -- Average; 100 is one core.
  peak_memory_bytes INTEGER, -- Peak of the largest process or of the sampled sum of its tree, whichever is larger.
  read_bytes INTEGER, -- Read through the page cache.
  written_bytes INTEGER, -- Written through the page cache.
  disk_read_bytes INTEGER, -- Read from the disk.
  disk_written_bytes INTEGER, -- Written to the disk.
  voluntary_switches INTEGER, -- Context switches because it waited.
  involuntary_switches INTEGER, -- Context switches because its time was up.
  major_faults INTEGER, -- Page faults that needed the disk.
  minor_faults INTEGER, -- Page faults that did not.
  gpu_percent REAL, -- Average over its GPUs.
  peak_gpu_memory_bytes INTEGER, -- Peak over its GPUs.
  PRIMARY KEY (attempt_id, rank)
) STRICT, WITHOUT ROWID;

CREATE VIEW rank AS SELECT -- Processes of distributed tasks, with what they used.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  ranks.rank AS rank, -- Its number among all of the attempt, from 0.
  ranks.local_rank AS local_rank, -- Its number among those of its machine.
  ranks.is_cause AS is_cause, -- 1 if the attempt failed because of it.
  ranks.host AS host, -- Machine.
  ranks.pid AS pid, -- Process.
  ranks.exit_code AS exit_code, -- Exit status.
  ranks.signal AS signal, -- Signal that ended it.
  datetime(ranks.started_at, 'unixepoch') AS started, -- When its command started (UTC, as text).
  datetime(ranks.ended_at, 'unixepoch') AS ended, -- When its command ended.
  ranks.wall_seconds AS wall_seconds, -- From start to end.
  ranks.user_seconds AS user_seconds, -- CPU time in user mode.
  ranks.system_seconds AS system_seconds, -- CPU time in the kernel.
  ranks.cpu_percent AS cpu_percent, -- Average; 100 is one core.
  ranks.peak_memory_bytes / 1e6 AS peak_memory_mb, -- Peak memory.
  ranks.read_bytes / 1e6 AS read_mb, -- Read through the page cache.
  ranks.written_bytes / 1e6 AS written_mb, -- Written through the page cache.
  ranks.gpu_percent AS gpu_percent, -- Average over its GPUs.
  ranks.peak_gpu_memory_bytes / 1e6 AS peak_gpu_memory_mb -- Peak GPU memory.
FROM ranks
JOIN attempts ON attempts.id = ranks.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id;

CREATE VIEW rank_trace AS SELECT -- What each rank of a stage's tasks used: every attempt that ended counts.
  runs.name AS run, -- The run.
  stages.position AS position, -- Order of the stage.
  stages.name AS stage, -- The stage.
  ranks.rank AS rank, -- The rank.
  group_concat(DISTINCT ranks.host) AS hosts, -- The machines that it ran on, with commas between them.
  count(*) AS attempts, -- Attempts that ended.
  sum(ranks.read_bytes) / 1e6 AS read_mb, -- Read through the page cache, all attempts together.
  sum(ranks.written_bytes) / 1e6 AS written_mb, -- Written through the page cache, all attempts together.
  sum(ranks.cpu_percent * ranks.wall_seconds)
    / nullif(sum(ranks.wall_seconds) FILTER (WHERE ranks.cpu_percent IS NOT NULL), 0) AS cpu_percent, -- Average over time; 100 is one core.
  max(ranks.peak_memory_bytes) / 1e6 AS peak_memory_mb, -- Highest of all attempts.
  sum(ranks.gpu_percent * ranks.wall_seconds)
    / nullif(sum(ranks.wall_seconds) FILTER (WHERE ranks.gpu_percent IS NOT NULL), 0) AS gpu_percent, -- Average over time, of ranks with a GPU.
  max(ranks.peak_gpu_memory_bytes) / 1e6 AS peak_gpu_memory_mb, -- Highest of all attempts.
  avg(ranks.wall_seconds) AS average_seconds -- Average time of an attempt.
FROM ranks
JOIN attempts ON attempts.id = ranks.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id
GROUP BY runs.name, stages.position, stages.name, ranks.rank;
`;
