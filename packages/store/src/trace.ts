import type { Connection } from "./connection.ts";

interface TaskFigures {
  readonly tasks: number;
  readonly done: number;
  readonly cached: number;
  readonly failed: number;
  /** Attempts that ended. All figures below are theirs; null is unknown. */
  readonly attempts: number;
  readonly peakMemoryMb: number | null;
  readonly peakGpuMemoryMb: number | null;
}

interface StageFigures {
  readonly readMb: number | null;
  readonly writtenMb: number | null;
  /** Averages over time; 100 is one core. */
  readonly cpuPercent: number | null;
  readonly gpuPercent: number | null;
  readonly averageSeconds: number | null;
}

/** One rank of the tasks of a stage that is distributed. */
export interface RankTrace extends StageFigures {
  readonly rank: number;
  /** The machines that it ran on, with commas between them; null where none is known. */
  readonly hosts: string | null;
  readonly attempts: number;
  readonly peakMemoryMb: number | null;
  readonly peakGpuMemoryMb: number | null;
}

export interface StageTrace extends TaskFigures, StageFigures {
  readonly stage: string;
  readonly longestSeconds: number | null;
  /** In order; empty where the tasks are not distributed. */
  readonly ranks: readonly RankTrace[];
}

export interface RunTotals extends TaskFigures {
  readonly cpuHours: number | null;
  readonly gpuHours: number | null;
  readonly readGb: number | null;
  readonly writtenGb: number | null;
  /** From the first start to the end of the run. */
  readonly seconds: number | null;
}

export interface RunTrace {
  readonly stages: readonly StageTrace[];
  readonly totals: RunTotals;
}

const PEAKS = "attempts, peak_memory_mb AS peakMemoryMb, peak_gpu_memory_mb AS peakGpuMemoryMb";
const TASKS = `tasks, done, cached, failed, ${PEAKS}`;
const FIGURES = `read_mb AS readMb, written_mb AS writtenMb, cpu_percent AS cpuPercent, gpu_percent AS gpuPercent,
  average_seconds AS averageSeconds`;

/** What the run used: the same figures as the views `stage_trace`, `rank_trace` and `run_trace`. */
export function readTrace(connection: Connection, run: string): RunTrace {
  const stages = connection.db.prepare<[string], Omit<StageTrace, "ranks">>(
    `SELECT stage, ${TASKS}, ${FIGURES}, longest_seconds AS longestSeconds
     FROM stage_trace WHERE run = ? ORDER BY position`,
  );
  const ranks = connection.db.prepare<[string], RankTrace & { readonly stage: string }>(
    `SELECT stage, rank, hosts, ${PEAKS}, ${FIGURES} FROM rank_trace WHERE run = ? ORDER BY position, rank`,
  );
  const totals = connection.db.prepare<[string], RunTotals>(
    `SELECT ${TASKS}, cpu_hours AS cpuHours, gpu_hours AS gpuHours, read_gb AS readGb, written_gb AS writtenGb, seconds
     FROM run_trace WHERE run = ?`,
  );
  return connection.read(() => {
    const byStage = new Map<string, RankTrace[]>();
    for (const { stage, ...rank } of ranks.all(run)) byStage.set(stage, [...(byStage.get(stage) ?? []), rank]);
    return {
      stages: stages.all(run).map((stage) => ({ ...stage, ranks: byStage.get(stage.stage) ?? [] })),
      totals: totals.get(run) as RunTotals,
    };
  });
}
