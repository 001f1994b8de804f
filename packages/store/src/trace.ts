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

export interface StageTrace extends TaskFigures {
  readonly stage: string;
  readonly readMb: number | null;
  readonly writtenMb: number | null;
  /** Averages over time; 100 is one core. */
  readonly cpuPercent: number | null;
  readonly gpuPercent: number | null;
  readonly averageSeconds: number | null;
  readonly longestSeconds: number | null;
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

const TASKS =
  "tasks, done, cached, failed, attempts, peak_memory_mb AS peakMemoryMb, peak_gpu_memory_mb AS peakGpuMemoryMb";

/** What the run used: the same figures as the views `stage_trace` and `run_trace`. */
export function readTrace(connection: Connection, run: string): RunTrace {
  const stages = connection.db.prepare<[string], StageTrace>(
    `SELECT stage, ${TASKS}, read_mb AS readMb, written_mb AS writtenMb, cpu_percent AS cpuPercent,
       gpu_percent AS gpuPercent, average_seconds AS averageSeconds, longest_seconds AS longestSeconds
     FROM stage_trace WHERE run = ? ORDER BY position`,
  );
  const totals = connection.db.prepare<[string], RunTotals>(
    `SELECT ${TASKS}, cpu_hours AS cpuHours, gpu_hours AS gpuHours, read_gb AS readGb, written_gb AS writtenGb, seconds
     FROM run_trace WHERE run = ?`,
  );
  return connection.read(() => ({ stages: stages.all(run), totals: totals.get(run) as RunTotals }));
}
