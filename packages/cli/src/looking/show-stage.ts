import { WfError } from "@wf/protocol";
import type { Store, TaskState, TaskSummary } from "@wf/store";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import { formatDuration } from "../format/duration.ts";
import { type Cell, table } from "../format/table.ts";
import type { Screen } from "../screen.ts";
import { jsonText } from "../view/run-ending.ts";
import { taskStatePaint } from "./task-state.ts";

/** What went wrong or goes on first: a person rarely looks for the tasks that went well. */
const ORDER: readonly TaskState[] = [
  "failed",
  "running",
  "submitted",
  "ready",
  "cancelled",
  "skipped",
  "done",
  "cached",
];
const MOST_TASKS = 50;

/** True for a stage whose tasks have names of their own: `train` of `train.0`, `train.1`. */
export function isStage(store: Store, run: string, name: string): boolean {
  if (!store.stages(run).some(({ stage }) => stage === name)) return false;
  try {
    store.task(run, name);
    return false;
  } catch (error) {
    if (error instanceof WfError && error.code === "WF_TASK_NOT_FOUND") return true;
    throw error;
  }
}

export function stageDocument(store: Store, run: string, stage: string): object {
  return { run, stage, ...store.tasks(run, { stage }) };
}

export function stageLines(store: Store, run: string, stage: string, screen: Screen): string[] {
  const { colours } = screen;
  const { total } = store.tasks(run, { stage, limit: 0 });
  const shown: TaskSummary[] = [];
  for (const state of ORDER) {
    if (shown.length < MOST_TASKS)
      shown.push(...store.tasks(run, { stage, states: [state], limit: MOST_TASKS - shown.length }).tasks);
  }
  const metrics = [...new Set(shown.flatMap((task) => Object.keys(task.metrics)))];
  const columns = [
    { title: "task", minWidth: 8 },
    { title: "state" },
    { title: "tries", align: "right" },
    { title: "ran", align: "right" },
    { title: "memory", align: "right" },
    ...metrics.map((title) => ({ title, align: "right", minWidth: 6 }) as const),
  ] as const;
  const more = total - shown.length;
  return [
    `${colours.bold(stage)}  ${counted(total, "task")} of ${run}`,
    ...(total === 0
      ? []
      : table(
          columns,
          shown.map((task) => row(store, run, task, metrics, screen)),
          { width: screen.columns, titlePaint: colours.gray, indent: "  " },
        )),
    ...(more > 0
      ? [
          colours.gray(
            `  … and ${counted(more, "more task")}: wf query "SELECT task, state FROM task WHERE run = '${run}' AND stage = '${stage}'"`,
          ),
        ]
      : []),
    `  ${colours.gray("next")}  wf show ${run} ${shown[0]?.task ?? "TASK"}`,
  ];
}

function row(store: Store, run: string, task: TaskSummary, metrics: readonly string[], screen: Screen): Cell[] {
  const usage = task.attempts === 0 ? null : store.attempts(run, task.task).at(-1)?.usage;
  return [
    task.task,
    { text: task.state, paint: taskStatePaint(task.state, screen.colours) },
    task.attempts === 0 ? "" : String(task.attempts),
    usage == null ? "" : formatDuration(usage.wallSeconds),
    usage?.peakMemoryBytes == null ? "" : formatBytes(usage.peakMemoryBytes),
    ...metrics.map((name) => (task.metrics[name] === undefined ? "" : jsonText(task.metrics[name]))),
  ];
}
