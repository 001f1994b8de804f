import { Clustering } from "@wf/site";
import { z } from "zod";

/**
 * The executable DAG as a document: JSON lines, so that a million jobs stream. The first line is the header, the
 * last one the totals. A saved plan can be run later with `wf run PLAN`.
 */
export const PLAN_VERSION = 1;

const count = z.number().int().nonnegative();
/** Of each process; `processes` of them on each of `nodes`. */
const ResourceFigures = z.object({
  nodes: count.default(1),
  processes: count.default(1),
  cpus: z.number(),
  memoryBytes: z.number(),
  gpus: count,
  diskBytes: z.number().default(0),
  timeLimitSeconds: z.number().nullable(),
});

export const PlanHeader = z.object({
  type: z.literal("plan"),
  version: z.literal(PLAN_VERSION),
  workflow: z.object({ name: z.string(), file: z.string(), hash: z.string(), bundle: z.string() }),
  params: z.record(z.string(), z.unknown()),
  /** Where each input lies and what it held when the plan was made. */
  inputs: z.record(z.string(), z.object({ path: z.string(), hash: z.string() })),
  site: z.string(),
  clustering: Clustering,
  placement: z.array(
    z.object({
      files: z.enum(["inputs", "code", "intermediate", "outputs"]),
      how: z.enum(["link", "copy", "transfer"]),
    }),
  ),
});

const PlannedTask = z.object({ task: z.string(), after: z.array(z.string()) });

export const PlanJob = z.object({
  type: z.literal("job"),
  job: z.string(),
  kind: z.enum(["compute", "create-dir", "stage-in", "stage-out", "register", "cleanup"]),
  stage: z.string().optional(),
  /** One or more tasks; `after` names tasks, or `STAGE.*` for a whole fan-out. */
  tasks: z.array(PlannedTask),
  resources: ResourceFigures.optional(),
  container: z.object({ image: z.string(), how: z.enum(["staged", "installed"]) }).nullable(),
  does: z.string().optional(),
});

export const PlanReuse = z.object({ type: z.literal("reuse"), task: z.string(), run: z.string(), from: z.string() });

/** A place where the DAG grows while it runs. */
export const PlanExpansion = z.object({
  type: z.literal("expansion"),
  node: z.string(),
  kind: z.enum(["each", "when", "repeat"]),
  index: z.array(count),
  /** The task whose result decides. */
  because: z.string(),
  stages: z.array(z.string()),
});

export const PlanStage = z.object({
  type: z.literal("stage"),
  stage: z.string(),
  level: count,
  /** Tasks that are known now. */
  tasks: count,
  run: count,
  reuse: count,
  jobs: count,
  /** More tasks may come when this has run. */
  growsAfter: z.array(z.string()),
  after: z.array(z.string()),
  /** Inputs that travel along unread: the one way for test data into a task that fits. */
  carried: z.array(z.string()),
  reasons: z.array(z.string()),
  warnings: z.array(z.string()),
});

export const PlanTotals = z.object({
  type: z.literal("totals"),
  tasks: count,
  run: count,
  reuse: count,
  jobs: count,
  auxiliary: count,
  expansions: count,
});

export const PlanLine = z.discriminatedUnion("type", [
  PlanHeader,
  PlanJob,
  PlanReuse,
  PlanExpansion,
  PlanStage,
  PlanTotals,
]);
export type PlanHeader = z.infer<typeof PlanHeader>;
export type PlanJob = z.infer<typeof PlanJob>;
export type PlanReuse = z.infer<typeof PlanReuse>;
export type PlanExpansion = z.infer<typeof PlanExpansion>;
export type PlanStage = z.infer<typeof PlanStage>;
export type PlanTotals = z.infer<typeof PlanTotals>;
export type PlanLine = z.infer<typeof PlanLine>;
