-- A store as version 1 of the schema left it. Never edit: it stands for the files that users have.
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
INSERT INTO workflows VALUES (1, '1e6ed65d77d6364eeaed5a745ba5c4985ae2b700dd85d7cf7f027bdf294a33fc', 'lung', 'lung.ts', 'export default 1;', 1800000000.5);
INSERT INTO run_counters VALUES ('lung', 3);
INSERT INTO runs VALUES (1, 'lung-1-aaaa', 1, 1, 'local', 'succeeded', 1800000001.0, 1800000002.0, 1800000016.5, '{"epochs":3}', '{"xrays":{"kind":"file","hash":"5100ba2f8fe13018eacaacaaf49dad365482ec9ef8be82ec5900a212bd3cd349","size":5,"name":"data.csv"}}', '{}', 'c0ffee', 'main', NULL, '{"uv.lock":"abc"}', '{"report":{"kind":"file","hash":"845e91831319e89c4d656bdb80c278ac09a7230d61e5dfd2e1b1fbb436ac8917","size":6,"name":"data.csv"}}', '{"dice":0.5}', NULL);
INSERT INTO runs VALUES (2, 'lung-2-bbbb', 1, 2, 'local', 'failed', 1800000017.5, 1800000018.0, 1800000021.0, '{"epochs":3}', '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, '{"root":"train"}');
INSERT INTO runs VALUES (3, 'lung-3-cccc', 1, 3, 'local', 'running', 1800000022.0, 1800000022.5, NULL, '{"epochs":3}', '{}', '{}', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO plans VALUES (1, '{"jobs":[]}');
INSERT INTO plans VALUES (2, '{"jobs":[]}');
INSERT INTO plans VALUES (3, '{"jobs":[]}');
INSERT INTO leases VALUES (3, 'laptop', 4711, 'boot', 100, 1800000050.0, 1800000060.0);
INSERT INTO requests VALUES (1, 3, 'cancel', 'anna@laptop', 1800000070.0, NULL);
INSERT INTO stages VALUES (1, 1, 'split', 'split', 0, 0, '{"cpus":1}');
INSERT INTO stages VALUES (2, 1, 'train', 'train', 1, 1, '{"cpus":1}');
INSERT INTO stages VALUES (3, 1, 'evaluate', 'evaluate', 0, 2, '{"cpus":1}');
INSERT INTO stages VALUES (4, 2, 'train', 'train', 0, 0, '{"cpus":1}');
INSERT INTO stages VALUES (5, 3, 'split', 'split', 0, 0, '{"cpus":1}');
INSERT INTO edges VALUES (1, 2);
INSERT INTO edges VALUES (2, 3);
INSERT INTO expansions VALUES (1, 'each', '[]', 2, '5100ba2f8fe13018eacaacaaf49dad365482ec9ef8be82ec5900a212bd3cd349', 1800000003.5);
INSERT INTO tasks VALUES (1, 1, 1, 'split', '[]', 'done', 'bb06ec8bb66ff91f7a505a3cb56772f5b98fc2649a1cbd7bf345b1165adaa36a', 1800000004.0, 1800000006.5, NULL, NULL, '{"train":{"kind":"file","hash":"116f54c41d0405dbb10e7b04ebc31e262a5b8c85c1233fcf36eaee344d91ae58","size":5,"name":"data.csv"}}', NULL, NULL);
INSERT INTO tasks VALUES (2, 1, 2, 'train', '[]', 'done', '36ecacaecd11eb069d24b79819607edc7c91e4a25b2cfc63035e23b2849ea35e', 1800000008.0, 1800000011.5, NULL, NULL, '{"model":{"kind":"file","hash":"9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4","size":5,"name":"data.csv"}}', '{"dice":0.5,"done":true}', NULL);
INSERT INTO tasks VALUES (3, 1, 3, 'evaluate', '[]', 'done', '91c440d11b6f79057b96239d6f8b935dec5ccba719463543fca86d691d95472a', 1800000013.0, 1800000015.0, NULL, NULL, '{"report":{"kind":"file","hash":"845e91831319e89c4d656bdb80c278ac09a7230d61e5dfd2e1b1fbb436ac8917","size":6,"name":"data.csv"}}', NULL, NULL);
INSERT INTO tasks VALUES (4, 2, 4, 'train', '[]', 'failed', NULL, 1800000018.5, 1800000020.5, NULL, NULL, NULL, NULL, '{"root":"train"}');
INSERT INTO tasks VALUES (5, 3, 5, 'split', '[]', 'running', 'k', 1800000023.5, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO task_details VALUES (1, '{}', '[{"name":"command","hash":"ad1a64057f9ab34fecfe3f4ee78660bb0316dbda9370581ffbeb1e8bddf3d598","text":"split"}]');
INSERT INTO task_details VALUES (2, '{}', '[{"name":"command","hash":"116f54c41d0405dbb10e7b04ebc31e262a5b8c85c1233fcf36eaee344d91ae58","text":"train"}]');
INSERT INTO task_details VALUES (3, '{}', '[{"name":"command","hash":"10aca1d8b724381a8cbeb66e3dba3007ed1e40b0c2d9cca3448a22689311b936","text":"evaluate"}]');
INSERT INTO task_details VALUES (4, '{}', '[]');
INSERT INTO task_details VALUES (5, '{}', '[]');
INSERT INTO jobs VALUES (1, 1, 'job of split', 'compute', 1, '{"cpus":1}', 1800000005.0);
INSERT INTO jobs VALUES (2, 1, 'job of train', 'compute', 1, '{"cpus":1}', 1800000010.0);
INSERT INTO jobs VALUES (3, 1, 'job of evaluate', 'compute', 1, '{"cpus":1}', 1800000013.5);
INSERT INTO jobs VALUES (4, 2, 'j1', 'compute', 1, '{"cpus":2}', 1800000019.0);
INSERT INTO jobs VALUES (5, 3, 'j1', 'compute', 1, '{}', 1800000024.0);
INSERT INTO attempts VALUES (1, 1, 1, 'split#1', 1, 'succeeded', 1800000005.5, 1000.0, 1010.0, NULL, NULL, NULL, 0, NULL, 'node1', 4711, 'boot', 10.0, 8.0, 1.0, 90.0, 50000000, 3000000, 2000000, 4096, 8192, 5, 6, 7, 8, NULL, NULL, 2, 20, 0.25, 1, 10, 0.125, 0, '[]', NULL);
INSERT INTO attempts VALUES (2, 2, 2, 'train#1', 1, 'succeeded', 1800000010.5, 1000.0, 1010.0, NULL, NULL, NULL, 0, NULL, 'node1', 4711, 'boot', 10.0, 8.0, 1.0, 90.0, 50000000, 3000000, 2000000, 4096, 8192, 5, 6, 7, 8, NULL, NULL, 2, 20, 0.25, 1, 10, 0.125, 0, '[]', NULL);
INSERT INTO attempts VALUES (3, 3, 3, 'evaluate#1', 1, 'succeeded', 1800000014.0, 1000.0, 1010.0, NULL, NULL, NULL, 0, NULL, 'node1', 4711, 'boot', 10.0, 8.0, 1.0, 90.0, 50000000, 3000000, 2000000, 4096, 8192, 5, 6, 7, 8, NULL, NULL, 2, 20, 0.25, 1, 10, 0.125, 0, '[]', NULL);
INSERT INTO attempts VALUES (4, 4, 4, 'train#1', 1, 'failed', 1800000019.5, 1000.0, 1010.0, 'out-of-memory', 'killed for 9 GB', NULL, NULL, 'SIGKILL', 'node1', 4711, 'boot', 10.0, 8.0, 1.0, 90.0, 50000000, 3000000, 2000000, 4096, 8192, 5, 6, 7, 8, NULL, NULL, 2, 20, 0.25, 1, 10, 0.125, 0, '[]', NULL);
INSERT INTO attempts VALUES (5, 5, 5, 'split#1', 1, 'running', 1800000024.5, 1800000100.0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO series VALUES (2, '[[0,50,1000,1,2,null,null]]');
INSERT INTO metrics VALUES (2, 0, 'dice', 0.5, NULL, 1800000011.0);
INSERT INTO metrics VALUES (2, 0, 'done', 1.0, 'true', 1800000011.0);
INSERT INTO artifacts VALUES (1, '5100ba2f8fe13018eacaacaaf49dad365482ec9ef8be82ec5900a212bd3cd349', 'file', 5, NULL, NULL, NULL, 'data.csv', 1800000001.5);
INSERT INTO artifacts VALUES (2, '116f54c41d0405dbb10e7b04ebc31e262a5b8c85c1233fcf36eaee344d91ae58', 'file', 5, NULL, NULL, NULL, 'data.csv', 1800000007.0);
INSERT INTO artifacts VALUES (3, '8363eb8eb055028ce443111c0f7555d218517421d640990c6419e1ce9a9f5106', 'list', 2, NULL, NULL, 2, NULL, 1800000008.5);
INSERT INTO artifacts VALUES (4, 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', 'file', 1, NULL, NULL, NULL, 'data.csv', 1800000009.0);
INSERT INTO artifacts VALUES (5, '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d', 'file', 1, NULL, NULL, NULL, 'data.csv', 1800000009.5);
INSERT INTO artifacts VALUES (6, '9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4', 'file', 5, NULL, NULL, NULL, 'data.csv', 1800000012.0);
INSERT INTO artifacts VALUES (7, '845e91831319e89c4d656bdb80c278ac09a7230d61e5dfd2e1b1fbb436ac8917', 'file', 6, NULL, NULL, NULL, 'data.csv', 1800000015.5);
INSERT INTO origins VALUES (3, 4, 0);
INSERT INTO origins VALUES (3, 5, 1);
INSERT INTO used VALUES (1, 'all', 1, '["unsplit"]', 0);
INSERT INTO used VALUES (2, 'all', 3, '[]', 0);
INSERT INTO used VALUES (2, 'train', 2, '["train"]', 0);
INSERT INTO used VALUES (3, 'model', 6, '["train"]', 0);
INSERT INTO made VALUES (1, 'train', 2, 1, '["train"]');
INSERT INTO made VALUES (2, 'model', 6, 2, '["train"]');
INSERT INTO made VALUES (3, 'report', 7, 3, '[]');
INSERT INTO run_artifacts VALUES (1, 'input', 'xrays', 1);
INSERT INTO run_artifacts VALUES (1, 'output', 'report', 7);
INSERT INTO cache VALUES ('36ecacaecd11eb069d24b79819607edc7c91e4a25b2cfc63035e23b2849ea35e', 2, 1800000012.5, 1800000012.5);
INSERT INTO cache VALUES ('91c440d11b6f79057b96239d6f8b935dec5ccba719463543fca86d691d95472a', 3, 1800000016.0, 1800000016.0);
INSERT INTO cache VALUES ('bb06ec8bb66ff91f7a505a3cb56772f5b98fc2649a1cbd7bf345b1165adaa36a', 1, 1800000007.5, 1800000007.5);
INSERT INTO events VALUES (1, 1, 1800000002.5, 'run.started', '{"site":"local"}');
INSERT INTO events VALUES (3, 1, 1800000023.0, 'run.started', '{}');
INSERT INTO transfers VALUES (1, 1, 'ingest', 'data', 'local', 1, 5, 0.5, 1800000003.0);
INSERT INTO hash_cache VALUES ('/data/a', 5, 1800000000000000001, 1800000000000000002, 7, 'abc');
PRAGMA user_version = 1;
