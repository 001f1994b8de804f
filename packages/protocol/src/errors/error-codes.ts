/**
 * Every error that a user can meet has a stable code. The code decides the exit code of `wf`,
 * and `docs/errors.md` is generated from this table.
 */
export const EXIT = {
  ok: 0,
  runFailed: 1,
  usage: 2,
  workflow: 3,
  environment: 4,
  busy: 5,
  internal: 70,
  cancelled: 130,
} as const;

const usage = EXIT.usage;
const workflow = EXIT.workflow;
const environment = EXIT.environment;

export const ERROR_CODES = {
  WF_USAGE: [usage, "The command line is wrong: an unknown command, flag or value."],
  WF_FILE_NOT_FOUND: [usage, "A file named on the command line does not exist."],
  WF_RUN_NOT_FOUND: [usage, "The store has no such run."],
  WF_TASK_NOT_FOUND: [usage, "The run has no such task."],
  WF_MODEL_NOT_FOUND: [usage, "The store has no such model, version or tag."],
  WF_QUERY: [usage, "The SQL is wrong, or would change the store."],

  WF_WORKFLOW_LOAD: [workflow, "The workflow file cannot be compiled."],
  WF_WORKFLOW_THREW: [workflow, "The workflow's own code threw while it built the graph."],
  WF_WORKFLOW_NO_DEFAULT: [workflow, "The file does not export a workflow as its default."],
  WF_TYPE_CHECK: [workflow, "`wf check` found type errors in the workflow."],
  WF_PARAM_INVALID: [workflow, "A parameter is missing, unknown or of the wrong type."],
  WF_INPUT_MISSING: [workflow, "An input of a task or of the workflow was not given."],
  WF_INPUT_UNKNOWN: [workflow, "An input was given that the task or the workflow does not declare."],
  WF_INPUT_TYPE: [workflow, "An artifact of one type was passed where another type is wanted."],
  WF_OUTPUT_UNKNOWN: [workflow, "An output was asked for that the task does not declare."],
  WF_METRIC_UNKNOWN: [workflow, "A metric was asked for that the task does not declare."],
  WF_SPLIT_FIT: [workflow, "Test or unsplit data was passed to a task that fits."],
  WF_SPLIT_RELABEL: [workflow, "A task would give data of one split the label of another."],
  WF_DECLARATION: [workflow, "A task or a workflow is declared wrongly (a name, a property, a path)."],
  WF_CYCLE: [workflow, "The graph has a cycle."],
  WF_TWO_PRODUCERS: [workflow, "Two outputs claim the same file."],
  WF_PATH_ESCAPE: [workflow, "A path leaves the folder that it must stay in."],
  WF_ZIP_LENGTH: [workflow, "Collections that are walked side by side have different lengths."],
  WF_FN_SITE: [workflow, "A `fn` task takes or makes something that only a real task can."],
  WF_SEARCH_SPACE: [workflow, "A search space is empty or has a parameter that cannot be searched."],
  WF_SEARCH_OPTION: [workflow, "A sampler, a pruner or a search has an option that makes no sense."],
  WF_RESOURCES: [workflow, "A task asks for more than the site can ever give."],
  WF_RUNTIME_INVALID: [workflow, "What a Python project requires cannot be read."],
  WF_PLAN_VERSION: [workflow, "A saved plan was written by another version of wf."],
  WF_EXPORT_DYNAMIC: [workflow, "A part of the workflow depends on results, and no fixed DAG can have it."],
  WF_BUNDLE_CHANGED: [workflow, "The code in a saved plan, or in a stored run, is not what its hash says."],
  WF_PLAN_STALE: [workflow, "What a saved plan was made for has changed since."],

  WF_PROJECT_FOREIGN: [environment, "A project, or code that a workflow imports, belongs to another user."],
  WF_SITE_UNKNOWN: [environment, "No site of that name is configured."],
  WF_SITE_INVALID: [environment, "`sites.yaml` has a mistake."],
  WF_INPUT_UNREADABLE: [environment, "An input file or folder cannot be read."],
  WF_DATASET_INVALID: [environment, "A folder does not have the layout of the dataset that is wanted."],
  WF_ARTIFACT_MISSING: [environment, "The store knows an artifact whose content is gone."],
  WF_ARTIFACT_INVALID: [environment, "An artifact holds a name, a path or a hash that none may have."],
  WF_DISK_FULL: [environment, "The disk, or the user's quota, is full."],
  WF_STORE_NEWER: [environment, "The store was written by a newer wf."],
  WF_STORE_NETWORK: [environment, "The store lies on a network file system, where SQLite is not safe."],
  WF_STORE_OPEN: [environment, "The store cannot be opened or is damaged."],
  WF_SQLITE_MISSING: [environment, "SQLite's native code is not installed, or does not fit this Node.js."],
  WF_LAUNCHER: [environment, "The launcher cannot be started or does not answer."],
  WF_LAUNCHER_CHANGED: [environment, "The launcher on a site is not the one that was sent there."],
  WF_PYTHON_MISSING: [environment, "No suitable python3 was found."],
  WF_RUNTIME_UNAVAILABLE: [environment, "No Python with what a project requires can be had on the site."],

  WF_SSH_CONFIG: [environment, "The ssh settings of a site cannot be used."],
  WF_SSH_UNREACHABLE: [environment, "The machine behind a site cannot be reached, or is no longer."],
  WF_SSH_HOST_KEY: [environment, "A machine shows a key that is unknown, has changed or was revoked."],
  WF_SSH_AUTH: [environment, "A machine does not let the user in."],
  WF_SSH_CHANNEL: [environment, "A machine lets the user in, but runs no commands or serves no files."],
  WF_SSH_LOST: [environment, "The connection was cut while something ran that may not be repeated unasked."],
  WF_SITE_SCHEDULER: [environment, "A site has no scheduler that wf knows."],
  WF_SITE_COMMAND: [environment, "A command on a site could not be run to its end."],
  WF_SITE_FILE: [environment, "A file on a site cannot be read or written."],
  WF_SITE_CHECKSUM: [environment, "What was sent or fetched is not what its hash says."],

  WF_RUN_OWNED: [EXIT.busy, "Another process is running this run."],

  WF_TASK_FAILED: [EXIT.runFailed, "A task failed and its retries are used up."],
  WF_RUN_NOT_STARTED: [environment, "The process that was to run it in the background ended at once."],
  WF_RUN_CANCELLED: [EXIT.cancelled, "The run was cancelled."],

  WF_INTERNAL: [EXIT.internal, "A bug in wf."],
} as const satisfies Record<string, readonly [exit: number, meaning: string]>;

export type ErrorCode = keyof typeof ERROR_CODES;
