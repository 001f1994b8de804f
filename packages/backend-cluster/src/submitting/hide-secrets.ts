import { type JobSpec, WfError } from "@wf/protocol";

export interface HiddenSecrets {
  readonly job: JobSpec;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * A job without the values of its secrets, which then reach it through its environment and never a file. Tasks that share
 * a job are of one stage, so a name means the same to all of them.
 */
export function hideSecrets(job: JobSpec): HiddenSecrets {
  const secrets: Record<string, string> = {};
  const tasks = job.tasks.map((task) => {
    const names = new Set(task.secrets);
    const env = Object.fromEntries(Object.entries(task.env).filter(([name]) => !names.has(name)));
    for (const name of names) {
      const value = task.env[name] ?? "";
      if ((secrets[name] ?? value) !== value) throw ambiguous(name, job.job);
      secrets[name] = value;
    }
    return { ...task, env };
  });
  return { job: { ...job, tasks }, secrets };
}

function ambiguous(name: string, job: string): WfError {
  return new WfError("WF_INTERNAL", `Two tasks of one job have different secrets called ${name}.`, { where: job });
}
