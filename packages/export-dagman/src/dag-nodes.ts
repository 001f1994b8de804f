import type { RuntimeWish } from "@wf/protocol";
import type { DagNode } from "./dag-file.ts";
import type { DagJob } from "./jobs.ts";
import type { NodeNames } from "./node-names.ts";

/** What the Python of a stage must offer, and the key of such a runtime. */
export type Runtimes = ReadonlyMap<string, { readonly key: string; readonly wish: RuntimeWish }>;

/** A node that makes a Python ready for others. */
export interface Preparation {
  readonly node: DagNode;
  readonly key: string;
  readonly wish: RuntimeWish;
}

export interface NamedJob {
  readonly job: DagJob;
  readonly name: string;
}

export function nameJobs(jobs: readonly DagJob[], names: NodeNames): readonly NamedJob[] {
  return jobs.map((job) => ({ job, name: names.nameOf((job.tasks[0] as { readonly task: string }).task) }));
}

/** One for each runtime that some job needs. */
export function preparations(jobs: readonly DagJob[], runtimes: Runtimes, names: NodeNames): readonly Preparation[] {
  const wanted = new Map<string, { readonly wish: RuntimeWish; priority: number }>();
  for (const { stage } of jobs) {
    const runtime = runtimes.get(stage.node.id);
    if (!runtime) continue;
    const known = wanted.get(runtime.key) ?? { wish: runtime.wish, priority: 0 };
    known.priority = Math.max(known.priority, stage.rank + 1);
    wanted.set(runtime.key, known);
  }
  return [...wanted].map(([key, { wish, priority }], index) => {
    const name = names.nameOf(wanted.size === 1 ? "prepare" : `prepare-${index + 1}`);
    return { key, wish, node: { name, description: `stages/prepare.${key}.sub`, parents: [], retries: 0, priority } };
  });
}

/** `retries`: those of every task, where it declares fewer. What is long until the end goes first. */
export function computeNodes(
  named: readonly NamedJob[],
  prepared: readonly Preparation[],
  runtimes: Runtimes,
  retries: number,
): readonly DagNode[] {
  const nodeOf = new Map(named.flatMap(({ job, name }) => job.tasks.map(({ task }) => [task, name] as const)));
  return named.map(({ job, name }) => {
    const { node, rank } = job.stage;
    const runtime = prepared.find(({ key }) => key === runtimes.get(node.id)?.key);
    const parents = new Set([...job.after].map((task) => nodeOf.get(task) as string));
    if (runtime) parents.add(runtime.node.name);
    return {
      name,
      description: descriptionOf(job),
      parents: [...parents],
      retries: Math.max(node.declaration.retries, retries),
      priority: rank,
    };
  });
}

/** The submit description that all jobs of a stage share. */
export function descriptionOf({ stage }: DagJob): string {
  return `stages/${stage.node.id}.sub`;
}
