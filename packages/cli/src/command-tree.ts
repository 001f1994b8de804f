import type { ArgumentSpec, CommandSpec, OptionSpec } from "./command-spec.ts";

const FILE: ArgumentSpec = { name: "FILE", summary: "a workflow file", completes: "file" };
const RUN: ArgumentSpec = {
  name: "RUN",
  summary: "a run's id, the start of one, or `last` (the default)",
  isOptional: true,
  completes: "run",
};
const TASK: ArgumentSpec = { name: "TASK", summary: "a task's name, as `wf show` prints it", completes: "task" };

const PARAMS: readonly OptionSpec[] = [
  { flags: "-p, --param <NAME=VALUE>", summary: "set a parameter of the workflow; may be repeated", kind: "words" },
  { flags: "--params <FILE>", summary: "read parameters from a JSON or YAML file", completes: "file" },
];
const INPUTS: readonly OptionSpec[] = [
  { flags: "-s, --site <NAME>", summary: "where to run: a site of sites.yaml (default: local)", completes: "site" },
  ...PARAMS,
  {
    flags: "-i, --input <NAME=PATH>",
    summary: "name an input of the workflow, or NAME=model:MODEL; may be repeated",
    kind: "words",
    completes: "file",
  },
  { flags: "--no-cache", summary: "run every task, whatever earlier runs have made" },
  { flags: "--cluster <N>", summary: "let up to N tasks of a stage share one job", kind: "number" },
];
const STARTING: readonly OptionSpec[] = [
  { flags: "--retries <N>", summary: "try failed tasks N times more, whatever they declare", kind: "count" },
  { flags: "--detach", summary: "run in the background of this machine; `wf attach` shows it" },
];
const WATCHING: readonly OptionSpec[] = [
  { flags: "-o, --outputs <DIR>", summary: "put the outputs there when the run has succeeded", completes: "folder" },
  { flags: "--keep-going", summary: "after a failure, run everything that does not depend on it" },
  { flags: "--fail-fast", summary: "after a failure, start nothing more (default)", conflictsWith: "keepGoing" },
  { flags: "--plain", summary: "print lines instead of the live view" },
  { flags: "--quiet", summary: "print errors and the result only" },
];

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  {
    flags: "--store <DIR>",
    summary: "where runs are kept (default: WF_STORE, else .wf in the project)",
    completes: "folder",
  },
  { flags: "--json", summary: "print JSON, one object a line" },
  { flags: "--no-color", summary: "print without colours; NO_COLOR and FORCE_COLOR are heard too" },
];

/** Every command, in the order in which help shows them. */
export const COMMANDS: readonly CommandSpec[] = [
  {
    name: "init",
    group: "Write a workflow",
    summary: "write a first project that runs",
    args: [
      { name: "DIR", summary: "the new project's folder (default: this one)", isOptional: true, completes: "folder" },
    ],
    options: [],
    example: "wf init my-project",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "check",
    group: "Write a workflow",
    summary: "type-check a workflow, build its graph, and look for slips",
    args: [FILE],
    options: PARAMS,
    example: "wf check workflow.ts",
    load: async () => (await import("./commands/check.ts")).check,
  },
  {
    name: "graph",
    group: "Write a workflow",
    summary: "draw a workflow, with fan-outs folded",
    args: [FILE],
    options: [
      {
        flags: "-f, --format <FORMAT>",
        summary: "how (default: by --output, else svg)",
        choices: ["svg", "mermaid", "dot"],
      },
      { flags: "-o, --output <FILE>", summary: "write there (default: standard output)", completes: "file" },
      ...PARAMS,
    ],
    example: "wf graph workflow.ts --output workflow.svg",
    load: async () => (await import("./commands/graph.ts")).graph,
  },
  {
    name: "plan",
    group: "Write a workflow",
    summary: "say what would run, and why, without running it",
    args: [FILE],
    options: [
      ...INPUTS,
      { flags: "--save <FILE>", summary: "save the plan, for `wf run` to run it later", completes: "file" },
      { flags: "--all", summary: "print every task, not only a few of each stage" },
    ],
    example: "wf plan workflow.ts --param epochs=20",
    load: async () => (await import("./commands/plan.ts")).plan,
  },
  {
    name: "run",
    group: "Run it",
    summary: "run a workflow, or a saved plan",
    details: "Ctrl-C once lets what runs finish and starts nothing more; twice ends it. `wf resume` goes on.",
    args: [
      {
        name: "FILE",
        summary: "a workflow file, or a plan that `wf plan --save` wrote: a program, too",
        completes: "file",
      },
    ],
    options: [
      ...INPUTS,
      {
        flags: "--after <JOB>",
        summary: "wait until this job of the site's SLURM has ended well; may be repeated",
        kind: "words",
      },
      ...STARTING,
      ...WATCHING,
    ],
    example: "wf run workflow.ts --input text=book.txt --outputs results",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "resume",
    group: "Run it",
    summary: "go on with a run that was stopped, killed or failed",
    details: "It replays the workflow as it was when the run began, not the edited file.",
    args: [RUN],
    options: [...STARTING, ...WATCHING],
    example: "wf resume last",
    load: async () => (await import("./commands/resume.ts")).resume,
  },
  {
    name: "cancel",
    group: "Run it",
    summary: "end a run, from any terminal",
    args: [RUN],
    options: [{ flags: "--drain", summary: "let what runs finish, and start nothing more" }],
    example: "wf cancel last --drain",
    load: async () => (await import("./commands/cancel.ts")).cancel,
  },
  {
    name: "export",
    group: "Run it",
    summary: "write a workflow as a DAG that HTCondor runs without wf",
    details:
      "The folder has everything: DAG, submit descriptions, code, inputs, the launcher and a README. What depends on results of other tasks (fan-outs over them, conditions, loops, functions) cannot be part of it.",
    args: [{ name: "FORMAT", summary: "what to write: dagman", completes: ["dagman"] }, FILE],
    options: [
      { flags: "-o, --output <DIR>", summary: "the new folder to write", completes: "folder" },
      { flags: "--static-part", summary: "leave out what depends on results of other tasks" },
      ...INPUTS,
      { flags: "--retries <N>", summary: "try failed tasks N times more, whatever they declare", kind: "count" },
    ],
    example: "wf export dagman workflow.ts --site pool --output my-dag",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  {
    name: "runs",
    group: "Look at runs",
    summary: "list runs, newest first",
    args: [],
    options: [
      { flags: "-n, --limit <N>", summary: "how many (default: 20)", kind: "number" },
      { flags: "--workflow <NAME>", summary: "of this workflow only" },
      {
        flags: "--status <STATUS>",
        summary: "with this status only",
        choices: ["created", "running", "succeeded", "failed", "cancelled", "stopped"],
      },
    ],
    example: "wf runs --status failed",
    load: async () => (await import("./commands/runs.ts")).runs,
  },
  {
    name: "show",
    group: "Look at runs",
    summary: "show a run, or one of its tasks",
    details: "A word alone that fits no run means a task, or a stage, of the last run.",
    args: [RUN, { ...TASK, isOptional: true }],
    options: [],
    example: "wf show last",
    load: async () => (await import("./commands/show.ts")).show,
  },
  {
    name: "status",
    group: "Look at runs",
    summary: "say how far a run is",
    args: [RUN],
    options: [{ flags: "-f, --follow", summary: "until it ends" }],
    example: "wf status --follow",
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "attach",
    group: "Look at runs",
    summary: "show the live view of a run that goes on elsewhere on this machine",
    details: "Ctrl-C leaves the view; the run goes on.",
    args: [RUN],
    options: [],
    example: "wf attach last",
    load: async () => (await import("./commands/attach.ts")).attach,
  },
  {
    name: "logs",
    group: "Look at runs",
    summary: "print what a task wrote",
    args: [RUN, TASK],
    options: [
      { flags: "--attempt <N>", summary: "of this attempt (default: the last one)", kind: "number" },
      { flags: "--rank <N>", summary: "of this process of a distributed task (default: 0)", kind: "number" },
      { flags: "--stdout", summary: "standard output only" },
      { flags: "--stderr", summary: "standard error only", conflictsWith: "stdout" },
      { flags: "-f, --follow", summary: "until it ends" },
    ],
    example: "wf logs last train",
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "why",
    group: "Look at runs",
    summary: "say why a task ran, or why it did not",
    args: [RUN, TASK],
    options: [],
    example: "wf why last train",
    load: async () => (await import("./commands/why.ts")).why,
  },
  {
    name: "trace",
    group: "Look at runs",
    summary: "say what each stage used: time, processors, memory, disk, GPUs",
    args: [RUN],
    options: [{ flags: "--series <TASK>", summary: "one task's use over time", completes: "task" }],
    example: "wf trace last",
    load: async () => (await import("./commands/trace.ts")).trace,
  },
  {
    name: "compare",
    group: "Look at runs",
    summary: "put parameters, metrics and costs of runs side by side",
    details: "Others are compared with the first. A metric is marked where it differs; tasks by their keys.",
    args: [{ name: "RUNS...", summary: "two runs or more: ids, starts of ids, or `last`", completes: "run" }],
    options: [
      { flags: "--stage <NAME>", summary: "compare the metrics of this stage" },
      { flags: "-f, --format <FORMAT>", summary: "how (default: table)", choices: ["table", "csv", "json"] },
    ],
    example: "wf compare lung-seg-1 lung-seg-2",
    load: async () => (await import("./commands/compare.ts")).compare,
  },
  {
    name: "models",
    group: "Look at runs",
    summary: "list trained models, show one, or write it out",
    details: "A version is NAME@3, NAME@TAG, NAME@best:METRIC or NAME@lowest:METRIC; NAME alone is the newest one.",
    args: [
      {
        name: "MODEL",
        summary: "a model, or a version of one (default: list all)",
        isOptional: true,
        completes: "model",
      },
    ],
    options: [
      { flags: "--export <PATH>", summary: "write the version there", completes: "file" },
      { flags: "--tag <TAG>", summary: "give the version a tag; another version of the model loses it" },
      { flags: "--untag <TAG>", summary: "take a tag of the model away" },
      { flags: "--remove", summary: "forget the version; `wf gc` then removes its content" },
    ],
    example: "wf models lung-unet@best:dice --export model.safetensors",
    load: async () => (await import("./commands/models.ts")).models,
  },
  {
    name: "query",
    group: "Look at runs",
    summary: "ask the store in SQL; reading only",
    args: [{ name: "SQL", summary: "one SELECT over the views of docs/store.md" }],
    options: [{ flags: "-f, --format <FORMAT>", summary: "how (default: table)", choices: ["table", "csv", "json"] }],
    example: 'wf query "SELECT stage, done, cpu_percent, average_seconds FROM stage_trace"',
    load: async () => (await import("./commands/query.ts")).query,
  },
  {
    name: "gc",
    group: "House-keeping",
    summary: "delete old runs, and content that no run needs",
    args: [],
    options: [
      { flags: "-n, --dry-run", summary: "say what would be deleted" },
      { flags: "--older-than <TIME>", summary: "runs that ended longer ago: 12h, 30d" },
      { flags: "--keep <N>", summary: "but keep the newest N runs of each workflow", kind: "count" },
      { flags: "-s, --site <NAME>", summary: "clean the storage of this site, too", completes: "site" },
    ],
    example: "wf gc --dry-run --older-than 30d --keep 3",
    load: async () => (await import("./commands/gc.ts")).gc,
  },
  {
    name: "recheck",
    group: "House-keeping",
    summary: "drop results whose jobs a scheduler had ended",
    details:
      "Asks the accounting of clusters how the jobs of results in the cache ended. Where the scheduler had ended one, its results are dropped, and its run can be resumed.",
    args: [
      {
        name: "RUNS...",
        summary: "ids, starts of ids, or `last` (default: all runs)",
        isOptional: true,
        completes: "run",
      },
    ],
    options: [
      { flags: "-n, --dry-run", summary: "say what would be dropped" },
      { flags: "-s, --site <NAME>", summary: "only runs on this site", completes: "site" },
    ],
    example: "wf recheck --site cluster --dry-run",
    load: async () => (await import("./commands/recheck.ts")).recheck,
  },
  {
    name: "verify",
    group: "House-keeping",
    summary: "read content again, and find what is damaged",
    details:
      "Compares content with its hash, and looks through the records and the database. What is damaged goes into quarantine, and the next run makes it again: the command says what that is. Its exit code is 1 if anything was damaged.",
    args: [{ name: "RUN", summary: "a run (default: the last one)", isOptional: true, completes: "run" }],
    options: [
      { flags: "--all", summary: "everything in the store, whatever run it belongs to" },
      { flags: "-s, --site <NAME>", summary: "the storage of this site, read there", completes: "site" },
    ],
    example: "wf verify --all",
    load: async () => (await import("./commands/verify.ts")).verify,
  },
  {
    name: "sites",
    group: "House-keeping",
    summary: "list the places to run, or add a cluster",
    details:
      "`wf sites add NAME HOST` looks at a cluster of SLURM or HTCondor (partitions, machines, limits, GPUs, accounts, storage, python) and writes a first version into sites.yaml.",
    args: [
      { name: "ACTION", summary: "`add`, for one more (default: list them)", isOptional: true, completes: ["add"] },
      { name: "NAME", summary: "what to call it", isOptional: true },
      {
        name: "HOST",
        summary: "ssh://user@host:port, or a name of ~/.ssh/config (default: this machine is its login node)",
        isOptional: true,
      },
    ],
    options: [
      { flags: "-n, --dry-run", summary: "say what would be added" },
      { flags: "--replace", summary: "in place of what has the name" },
      { flags: "--ssh-config <FILE>", summary: "read it in place of ~/.ssh/config", completes: "file" },
    ],
    example: "wf sites add cluster ssh://me@login.example.org",
    load: async () => (await import("./commands/sites.ts")).sites,
  },
  {
    name: "doctor",
    group: "House-keeping",
    summary: "look for what keeps wf, or a workflow, from working here",
    details: "With a workflow it says which Python each task would get. Nothing is installed.",
    args: [{ ...FILE, summary: "a workflow whose Python runtimes to look at", isOptional: true }],
    options: [
      { flags: "-s, --site <NAME>", summary: "look at this site (default: local)", completes: "site" },
      { flags: "--job", summary: "of a cluster: run one small job there, and wait for it a minute at most" },
    ],
    example: "wf doctor --site cluster",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "completion",
    group: "House-keeping",
    summary: "print a completion script for a shell",
    args: [{ name: "SHELL", summary: "bash, zsh or fish", completes: ["bash", "zsh", "fish"] }],
    options: [],
    example: "wf completion bash >> ~/.bashrc",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
  {
    name: "complete",
    group: "House-keeping",
    summary: "print what may stand at the end of a command line",
    args: [{ name: "WORDS...", summary: "the words so far; the last one may be empty", isOptional: true }],
    options: [],
    example: "wf complete run --si",
    isHidden: true,
    load: async () =>
      (await import("./commands/complete.ts")).completeIn({ commands: COMMANDS, options: GLOBAL_OPTIONS }),
  },
];
