/** What a scheduler moved for a job, and how often it began it. */
export const sql = `
DROP VIEW account;
DROP INDEX accounts_open;
ALTER TABLE accounts RENAME TO accounts_before;

CREATE TABLE accounts ( -- Attempts that went through the queue of a scheduler.
  attempt_id INTEGER PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt.
  queue_job TEXT NOT NULL, -- What the scheduler calls its job: the number that its queue shows.
  state TEXT, -- In the scheduler's own words; NULL while its accounting was not asked.
  nodes TEXT, -- Nodes or slots that the job had.
  wait_seconds REAL, -- From submission to start.
  wall_seconds REAL, -- From start to end, of the whole job.
  cpu_seconds REAL, -- CPU time of the whole job.
  peak_memory_bytes INTEGER, -- As sampled by the scheduler.
  received_bytes INTEGER, -- Sent to its machine by the scheduler's own file transfer.
  sent_bytes INTEGER, -- Sent back from there.
  starts INTEGER -- How often the scheduler began it.
) STRICT;
CREATE INDEX accounts_open ON accounts (attempt_id) WHERE state IS NULL;
INSERT INTO accounts SELECT *, NULL, NULL, NULL FROM accounts_before;
DROP TABLE accounts_before;

CREATE VIEW account AS SELECT -- What a scheduler's accounting says, beside what the record measured.
  runs.name AS run, -- The run.
  stages.name AS stage, -- The stage.
  tasks.name AS task, -- The task.
  attempts.name AS attempt, -- The attempt.
  accounts.queue_job AS queue_job, -- What the scheduler calls its job.
  accounts.state AS state, -- In the scheduler's own words; NULL while its accounting was not asked.
  accounts.nodes AS nodes, -- Nodes or slots that the job had.
  attempts.host AS host, -- Machine that the record names.
  accounts.wait_seconds AS wait_seconds, -- In the queue.
  accounts.starts AS starts, -- How often the scheduler began it.
  accounts.wall_seconds AS job_seconds, -- Of the whole job.
  attempts.wall_seconds AS wall_seconds, -- Of the command alone, by the record.
  accounts.cpu_seconds AS job_cpu_seconds, -- Of the whole job.
  attempts.user_seconds + attempts.system_seconds AS cpu_seconds, -- Of the command alone, by the record.
  accounts.peak_memory_bytes / 1e6 AS job_memory_mb, -- As sampled by the scheduler.
  attempts.peak_memory_bytes / 1e6 AS peak_memory_mb, -- By the record.
  accounts.received_bytes / 1e6 AS received_mb, -- Sent to its machine by the scheduler's own file transfer.
  accounts.sent_bytes / 1e6 AS sent_mb -- Sent back from there.
FROM accounts
JOIN attempts ON attempts.id = accounts.attempt_id
JOIN tasks ON tasks.id = attempts.task_id
JOIN stages ON stages.id = tasks.stage_id
JOIN runs ON runs.id = tasks.run_id;
`;
