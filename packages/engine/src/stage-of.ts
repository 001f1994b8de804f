/** The stage of a task, by its name: `train.3.0` is one of `train`. */
export function stageOfTask(task: string): string {
  return task.replace(/(\.\d+)+$/, "");
}
