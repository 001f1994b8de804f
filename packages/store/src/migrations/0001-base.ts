/**
 * The tables. A released migration never changes; the next change is the next number.
 *
 * The comments are part of the schema: SQLite keeps them, and `docs/store.md` is generated from them. So one column
 * stands on one line and ends with what it means. Times are Unix seconds (UTC); JSON is canonical only where said.
 * What is unknown is NULL, never zero.
 */
export const sql = `
CREATE TABLE workflows ( -- A workflow as it was bundled: what a resumed run replays.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  hash TEXT NOT NULL, -- SHA-256 of the bundled source.
  name TEXT NOT NULL, -- The name that the workflow gives itself.
  file TEXT NOT NULL, -- The file that it was loaded from.
  source TEXT NOT NULL, -- The bundled source.
  first_seen_at REAL NOT NULL, -- When a run first used this bundle.
  UNIQUE (hash, file)
) STRICT;

CREATE TABLE run_counters ( -- The last run number of each workflow name: a number is never given twice.
  workflow TEXT PRIMARY KEY, -- The workflow's name.
  last INTEGER NOT NULL -- The number of its newest run.
) STRICT, WITHOUT ROWID;

CREATE TABLE runs ( -- One execution of a plan.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  name TEXT NOT NULL UNIQUE, -- What people call the run: workflow, number and four random characters.
  workflow_id INTEGER NOT NULL REFERENCES workflows (id), -- The bundle that it runs.
  number INTEGER NOT NULL, -- Counts the runs of a workflow name in this store.
  site TEXT NOT NULL, -- Where it runs.
  status TEXT NOT NULL, -- created, running, succeeded, failed, cancelled, or stopped (drained; it can be resumed).
  created_at REAL NOT NULL, -- When it entered the store.
  started_at REAL, -- When an engine first took it up.
  finished_at REAL, -- When it last came to an end; NULL while it runs.
  params TEXT NOT NULL, -- JSON: the workflow's parameters.
  inputs TEXT NOT NULL, -- JSON: the workflow's inputs by name, as values with content hashes.
  options TEXT NOT NULL, -- JSON: how it was asked to run (retries, fail-fast and the like).
  git_commit TEXT, -- Commit of the workflow's repository; NULL outside of one.
  git_branch TEXT, -- Branch; NULL when detached.
  git_diff_hash TEXT, -- SHA-256 of the uncommitted changes; NULL when there are none.
  git_locks TEXT, -- JSON: SHA-256 of each lock file by its path.
  outputs TEXT, -- JSON: the workflow's outputs by name.
  metrics TEXT, -- JSON: the workflow's metrics by name.
  error TEXT -- JSON: why it failed.
) STRICT;

CREATE TABLE plans ( -- The plan document of a run, apart from the run because it can be large.
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  document TEXT NOT NULL -- JSON: the executable DAG, as the planner wrote it.
) STRICT;

CREATE TABLE leases ( -- Who runs a run now. No row: nobody does.
  run_id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  host TEXT NOT NULL, -- Machine of the owner.
  pid INTEGER NOT NULL, -- Process of the owner.
  boot_id TEXT, -- Tells one start of the machine from the next.
  start_ticks INTEGER, -- When the process started, in clock ticks since the boot: tells a process from its successor.
  since REAL NOT NULL, -- When the owner took the run.
  heartbeat_at REAL NOT NULL -- When the owner last said that it lives.
) STRICT;

CREATE TABLE requests ( -- What other processes ask of a run's owner.
  id INTEGER PRIMARY KEY, -- Row number; requests are taken in this order.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  kind TEXT NOT NULL, -- cancel or drain.
  asked_by TEXT NOT NULL, -- Who asked.
  asked_at REAL NOT NULL, -- When.
  taken_at REAL -- When the owner took it up; NULL while it waits.
) STRICT;
CREATE INDEX requests_waiting ON requests (run_id) WHERE taken_at IS NULL;

CREATE TABLE stages ( -- A node of the workflow's graph: all tasks that one call of a task makes.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  name TEXT NOT NULL, -- The stage's name, unique in the run.
  task TEXT NOT NULL, -- The name of the declared task.
  fits INTEGER NOT NULL CHECK (fits IN (0, 1)), -- 1 if the task fits: it may then read neither test nor unsplit data.
  position INTEGER NOT NULL, -- Order in which people read the stages.
  resources TEXT NOT NULL, -- JSON: what each of its tasks asks for.
  UNIQUE (run_id, name)
) STRICT;

CREATE TABLE edges ( -- Data flows from one stage to another. A stage may feed itself (a loop).
  from_stage_id INTEGER NOT NULL REFERENCES stages (id) ON DELETE CASCADE, -- The stage that makes.
  to_stage_id INTEGER NOT NULL REFERENCES stages (id) ON DELETE CASCADE, -- The stage that uses.
  PRIMARY KEY (from_stage_id, to_stage_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX edges_to ON edges (to_stage_id);

CREATE TABLE expansions ( -- How far a node grew once its input was known.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  node TEXT NOT NULL, -- The node that grew.
  path TEXT NOT NULL, -- JSON: indices of the enclosing expansions.
  count INTEGER NOT NULL, -- How many parts it grew to.
  source TEXT NOT NULL, -- Content hash of what it was expanded over.
  at REAL NOT NULL, -- When.
  PRIMARY KEY (run_id, node, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks ( -- One step of a run. A task enters when its inputs are known, or when it is skipped.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  stage_id INTEGER NOT NULL REFERENCES stages (id) ON DELETE CASCADE, -- The stage that it belongs to.
  name TEXT NOT NULL, -- The task's name, unique in the run.
  index_path TEXT NOT NULL, -- JSON: its indices in the expansions around it; [] outside of any.
  state TEXT NOT NULL, -- ready, submitted, running, done, cached, failed, skipped or cancelled.
  cache_key TEXT, -- SHA-256 of its key parts; NULL if it may not be reused.
  ready_at REAL, -- When its inputs were known.
  ended_at REAL, -- When it reached done, cached, failed, skipped or cancelled.
  cached_from_run TEXT, -- The run that its outputs come from, by name: it may have been deleted since.
  cached_from_task TEXT, -- The task of that run.
  outputs TEXT, -- JSON: its outputs by name, as values with content hashes.
  metrics TEXT, -- JSON: the last value of each metric, its own or those of the task that it was cached from.
  cause TEXT, -- JSON: why it failed, was skipped or was cancelled.
  UNIQUE (run_id, name)
) STRICT;
CREATE INDEX tasks_stage ON tasks (stage_id, index_path);

CREATE TABLE task_details ( -- The long facts about a task that was ready, apart from the task because its row changes often.
  task_id INTEGER PRIMARY KEY REFERENCES tasks (id) ON DELETE CASCADE, -- The task.
  params TEXT NOT NULL, -- JSON: its parameters by name.
  key_parts TEXT NOT NULL -- JSON: the named parts of its cache key, a list of {name, hash, text?}.
) STRICT;

CREATE TABLE jobs ( -- What was handed to a backend: one or more tasks that share an allocation.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  name TEXT NOT NULL, -- The job's name, unique in the run.
  kind TEXT NOT NULL, -- compute, or the kind of an auxiliary job.
  tasks INTEGER NOT NULL, -- How many tasks it carries.
  resources TEXT NOT NULL, -- JSON: what it asks for.
  submitted_at REAL NOT NULL, -- When it entered the store, just before it was handed over.
  UNIQUE (run_id, name)
) STRICT;

CREATE TABLE attempts ( -- One try at a task: what its record says.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, -- The task.
  job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, -- The job that carried it.
  name TEXT NOT NULL, -- The attempt's name, unique in the run.
  number INTEGER NOT NULL, -- Counts the attempts of a task.
  state TEXT NOT NULL, -- submitted, running, succeeded or failed.
  submitted_at REAL NOT NULL, -- When it entered the store, just before it was handed over.
  started_at REAL, -- When its command started.
  ended_at REAL, -- When its command ended; NULL while it is under way.
  failure_class TEXT, -- Why it failed: exit, signal, out-of-memory, time-limit, lost and so on.
  failure_message TEXT, -- The same in words.
  failure_name TEXT, -- The input or output that the failure is about.
  exit_code INTEGER, -- Exit status of the command.
  signal TEXT, -- Signal that ended the command.
  host TEXT, -- Machine that it ran on.
  pid INTEGER, -- Process of the command.
  boot_id TEXT, -- Tells one start of that machine from the next.
  wall_seconds REAL, -- From start to end.
  user_seconds REAL, -- CPU time in user mode, of the whole process tree.
  system_seconds REAL, -- CPU time in the kernel, of the whole process tree.
  cpu_percent REAL, -- Average; 100 is one core.
  peak_memory_bytes INTEGER, -- Peak of the largest process or of the sampled sum of the tree, whichever is larger.
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
  staged_in_files INTEGER, -- Files put into the sandbox.
  staged_in_bytes INTEGER, -- Their size.
  staged_in_seconds REAL, -- The time that took.
  staged_out_files INTEGER, -- Files published from the sandbox.
  staged_out_bytes INTEGER, -- Their size.
  staged_out_seconds REAL, -- The time that took.
  leftover_processes INTEGER, -- Processes that the command left behind and that were ended.
  gpus TEXT, -- JSON: the numbers of the GPUs that it was given.
  undeclared TEXT, -- JSON: files that it wrote and did not declare; NULL if none.
  UNIQUE (task_id, number)
) STRICT;
CREATE INDEX attempts_job ON attempts (job_id);
CREATE INDEX attempts_open ON attempts (task_id) WHERE ended_at IS NULL;

CREATE TABLE series ( -- What an attempt used over time; no row if it was too short to sample.
  attempt_id INTEGER PRIMARY KEY REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt.
  points TEXT NOT NULL -- JSON: [seconds, cpu %, memory, read, written, gpu %, gpu memory] a point; bytes; null is unknown.
) STRICT;

CREATE TABLE metrics ( -- What a task reported while it ran.
  attempt_id INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE, -- The attempt that reported it.
  step INTEGER NOT NULL, -- Counts the reported lines, from 0.
  name TEXT NOT NULL, -- The metric.
  value REAL, -- The number; 1 and 0 for true and false; NULL for a text.
  text TEXT, -- The text, or true or false; NULL for a number.
  recorded_at REAL NOT NULL, -- When it entered the store.
  PRIMARY KEY (attempt_id, step, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifacts ( -- Content that was used or made, once for each content hash and kind.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  hash TEXT NOT NULL, -- SHA-256 of the content or of its manifest; of its items' hashes for a list.
  kind TEXT NOT NULL, -- file, directory, dataset, json or list.
  size_bytes INTEGER NOT NULL, -- Size of the content; for a list, of all items.
  files INTEGER, -- Files in a directory or dataset.
  rows INTEGER, -- Rows of a dataset.
  items INTEGER, -- Items of a list.
  name TEXT, -- Name of a file when it was first seen.
  first_seen_at REAL NOT NULL, -- When it entered the store.
  UNIQUE (hash, kind)
) STRICT;

CREATE TABLE origins ( -- Which artifacts another one consists of, or was computed from without a task. All levels are listed.
  artifact_id INTEGER NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE, -- A list, or a chunk, column or merge that no task made.
  origin_id INTEGER NOT NULL REFERENCES artifacts (id), -- An item of the list, or what it was cut or merged from.
  position INTEGER, -- For an item: where it first stands in the list, nested lists laid flat.
  PRIMARY KEY (artifact_id, origin_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX origins_origin ON origins (origin_id);

CREATE TABLE used ( -- A task was given an artifact.
  task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, -- The task.
  name TEXT NOT NULL, -- The input.
  artifact_id INTEGER REFERENCES artifacts (id), -- What it was given; NULL if the input was absent.
  splits TEXT NOT NULL, -- JSON: which splits of the data are in it; [] for reference material.
  carried INTEGER NOT NULL CHECK (carried IN (0, 1)), -- 1 if it was staged but declared unread by the fit.
  PRIMARY KEY (task_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE made ( -- A task made an artifact, or took it from the cache.
  task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, -- The task.
  name TEXT NOT NULL, -- The output.
  artifact_id INTEGER REFERENCES artifacts (id), -- What it made; NULL if the output is absent.
  stage_id INTEGER NOT NULL, -- The stage of the task, so that one look-up finds what a stage made.
  splits TEXT NOT NULL, -- JSON: which splits of the data are in it.
  PRIMARY KEY (task_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_artifacts ( -- What went into a run and what came out of it.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  role TEXT NOT NULL CHECK (role IN ('input', 'output')), -- input or output.
  name TEXT NOT NULL, -- The workflow's input or output.
  artifact_id INTEGER REFERENCES artifacts (id), -- The artifact; NULL if it is absent.
  PRIMARY KEY (run_id, role, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE cache ( -- The task whose outputs stand for a key. Outputs and metrics are read from that task.
  key TEXT PRIMARY KEY, -- SHA-256 of the key parts.
  task_id INTEGER NOT NULL REFERENCES tasks (id) ON DELETE CASCADE, -- The task, which ended as done or cached.
  created_at REAL NOT NULL, -- When it was remembered.
  last_used_at REAL NOT NULL -- When a run that it spared a task last ended.
) STRICT, WITHOUT ROWID;
CREATE INDEX cache_task ON cache (task_id);

CREATE TABLE events ( -- What happened in a run, in order.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  seq INTEGER NOT NULL, -- Counts the events of a run, from 1.
  at REAL NOT NULL, -- When.
  type TEXT NOT NULL, -- What.
  data TEXT NOT NULL, -- JSON: the rest.
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers ( -- Data moved for a run as a whole; what an attempt staged stands with the attempt.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE, -- The run.
  kind TEXT NOT NULL, -- ingest (the user's files into the site's storage), or a movement between sites.
  source TEXT NOT NULL, -- Where from.
  destination TEXT NOT NULL, -- Where to.
  files INTEGER NOT NULL, -- How many files.
  bytes INTEGER NOT NULL, -- Their size.
  seconds REAL NOT NULL, -- The time it took.
  ended_at REAL NOT NULL -- When it was done.
) STRICT;
CREATE INDEX transfers_run ON transfers (run_id);

CREATE TABLE hash_cache ( -- Hashes of the user's files, so that an unchanged file is not read again. Losing it costs time only.
  path TEXT PRIMARY KEY, -- Absolute path.
  size_bytes INTEGER NOT NULL, -- Size when it was hashed.
  mtime_ns INTEGER NOT NULL, -- Modification time, in nanoseconds.
  ctime_ns INTEGER NOT NULL, -- Change time of the inode, in nanoseconds.
  inode INTEGER NOT NULL, -- Inode.
  hash TEXT NOT NULL -- SHA-256 of the content.
) STRICT, WITHOUT ROWID;
`;
