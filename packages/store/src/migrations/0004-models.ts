/**
 * Trained models under names of their own, in versions. What a version was made from is copied here, so that it
 * outlives the run that made it.
 */
export const sql = `
CREATE TABLE models ( -- A name that models are registered under.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  name TEXT NOT NULL UNIQUE, -- The name.
  last INTEGER NOT NULL -- The number of its newest version: a number is never given twice.
) STRICT;

CREATE TABLE model_versions ( -- One content of a model. As long as it is here, its content is kept.
  id INTEGER PRIMARY KEY, -- Row number, for joins only.
  model_id INTEGER NOT NULL REFERENCES models (id), -- The model.
  version INTEGER NOT NULL, -- Counts the versions of a model, from 1.
  artifact_id INTEGER NOT NULL REFERENCES artifacts (id), -- Its content.
  file TEXT, -- The file's name; NULL for a directory.
  created_at REAL NOT NULL, -- When it was registered.
  UNIQUE (model_id, version),
  UNIQUE (model_id, artifact_id)
) STRICT;
CREATE INDEX model_versions_artifact ON model_versions (artifact_id);

CREATE TABLE model_sightings ( -- A run that came to this content: the first one registered it, others saw it again.
  version_id INTEGER NOT NULL REFERENCES model_versions (id) ON DELETE CASCADE, -- The version.
  run TEXT NOT NULL, -- The run, by name: it may have been deleted since.
  output TEXT NOT NULL, -- The workflow's output that it was.
  at REAL NOT NULL, -- When.
  metrics TEXT NOT NULL, -- JSON: its metrics by name, each with its value and the splits that it was measured on.
  lineage TEXT NOT NULL, -- JSON: workflow, parameters, inputs, training data, code.
  PRIMARY KEY (version_id, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE model_tags ( -- Other names for versions; a tag names one version of a model at a time.
  model_id INTEGER NOT NULL REFERENCES models (id), -- The model.
  tag TEXT NOT NULL, -- The tag.
  version_id INTEGER NOT NULL REFERENCES model_versions (id) ON DELETE CASCADE, -- The version.
  PRIMARY KEY (model_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_tags_version ON model_tags (version_id);

CREATE VIEW model AS SELECT -- Registered models, version by version.
  models.name AS model, -- The model.
  model_versions.version AS version, -- Its version.
  (SELECT group_concat(tag, ' ') FROM model_tags WHERE version_id = model_versions.id) AS tags, -- Its tags.
  artifacts.kind AS kind, -- file or directory.
  model_versions.file AS file, -- The file's name.
  artifacts.size_bytes / 1e6 AS size_mb, -- Its size.
  artifacts.hash AS hash, -- Content hash.
  datetime(model_versions.created_at, 'unixepoch') AS created, -- When it was registered (UTC, as text).
  sighting.run AS run, -- The run that registered it.
  sighting.lineage ->> 'workflow' AS workflow, -- Its workflow.
  sighting.lineage -> 'params' AS params, -- JSON: the workflow's parameters.
  sighting.lineage -> 'taskParams' AS task_params, -- JSON: the parameters of the task that made it.
  sighting.lineage -> 'git' ->> 'commit' AS git_commit, -- Commit of the workflow's repository.
  (SELECT count(*) FROM model_sightings WHERE version_id = model_versions.id) AS runs -- How many runs came to this content.
FROM model_versions
JOIN models ON models.id = model_versions.model_id
JOIN artifacts ON artifacts.id = model_versions.artifact_id
JOIN model_sightings AS sighting ON sighting.version_id = model_versions.id AND sighting.run = (
  SELECT run FROM model_sightings WHERE version_id = model_versions.id ORDER BY at LIMIT 1
);

CREATE VIEW model_metric AS SELECT -- The metrics of registered models.
  models.name AS model, -- The model.
  model_versions.version AS version, -- Its version.
  model_sightings.run AS run, -- The run that measured it.
  datetime(model_sightings.at, 'unixepoch') AS measured, -- When (UTC, as text).
  metric.key AS name, -- The metric.
  metric.value ->> 'value' AS value, -- Its value.
  metric.value -> 'splits' AS splits -- JSON: which splits of the data it was measured on.
FROM model_sightings
JOIN model_versions ON model_versions.id = model_sightings.version_id
JOIN models ON models.id = model_versions.model_id
JOIN json_each(model_sightings.metrics) AS metric;

CREATE VIEW model_data AS SELECT -- The data that registered models were trained on.
  models.name AS model, -- The model.
  model_versions.version AS version, -- Its version.
  model_sightings.run AS run, -- The run that made it.
  part.value ->> 'stage' AS stage, -- The stage that fitted.
  part.value ->> 'input' AS input, -- Its input.
  part.value -> 'splits' AS splits, -- JSON: which splits are in it.
  part.value ->> 'carried' AS carried, -- 1 if it was staged but declared unread.
  part.value ->> 'kind' AS kind, -- file, directory, dataset, json or list.
  part.value ->> 'rows' AS rows, -- Rows of a dataset.
  part.value ->> 'files' AS files, -- Files in a directory or dataset.
  part.value ->> 'hash' AS hash -- Content hash.
FROM model_sightings
JOIN model_versions ON model_versions.id = model_sightings.version_id
JOIN models ON models.id = model_versions.model_id
JOIN json_each(model_sightings.lineage -> 'data') AS part;
`;
