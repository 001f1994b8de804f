import { formatBytes } from "../format/bytes.ts";
import { formatDuration } from "../format/duration.ts";

/** For each process of a task. */
export interface Asked {
  readonly cpus: number;
  /** 0: none asked for. */
  readonly memoryBytes: number;
  readonly gpus: number;
  readonly timeLimitSeconds: number | null;
}

/** The most that a process of the tasks of a stage used; null is unknown. */
export interface Used {
  readonly cpuPercent: number | null;
  readonly peakMemoryBytes: number | null;
  readonly longestSeconds: number | null;
}

export interface Advice {
  readonly resource: "cpus" | "memory" | "time";
  readonly asked: string;
  readonly used: string;
  /** What to write into `resources`; undefined where what was asked for is right, or nothing is known. */
  readonly proposal?: string;
}

const MEMORY_HEADROOM = 1.25;
const TIME_HEADROOM = 2;
/** Below it nothing is gained by saying how much memory a task needs. */
const WORTH_ASKING_BYTES = 250e6;

/** Compares what a stage asks for with what its tasks used, and says what to write instead where it is far off. */
export function adviseResources(asked: Asked, used: Used): Advice[] {
  return [adviseCpus(asked, used), adviseMemory(asked, used), adviseTime(asked, used)];
}

function adviseCpus({ cpus }: Asked, { cpuPercent }: Used): Advice {
  const base = { resource: "cpus", asked: String(cpus) } as const;
  if (cpuPercent === null) return { ...base, used: "-" };
  const busy = cpuPercent / 100;
  const shown = { ...base, used: busy.toFixed(2) };
  const fitting = Math.max(1, Math.ceil(busy - 0.1));
  const isFarOff = busy > 1.2 * cpus || (cpus > 1 && busy < 0.6 * cpus);
  return isFarOff && fitting !== cpus ? { ...shown, proposal: `cpus: ${fitting}` } : shown;
}

function adviseMemory({ memoryBytes }: Asked, { peakMemoryBytes }: Used): Advice {
  const base = { resource: "memory", asked: memoryBytes === 0 ? "none" : formatBytes(memoryBytes) } as const;
  if (peakMemoryBytes === null) return { ...base, used: "-" };
  const shown = { ...base, used: formatBytes(peakMemoryBytes) };
  const fitting = roundedUp(peakMemoryBytes * MEMORY_HEADROOM);
  const isMissing = memoryBytes === 0 && peakMemoryBytes >= WORTH_ASKING_BYTES;
  const isTooLittle = memoryBytes > 0 && peakMemoryBytes > 0.9 * memoryBytes;
  const isFarOff = isMissing || isTooLittle || memoryBytes > Math.max(2 * fitting, WORTH_ASKING_BYTES);
  return isFarOff ? { ...shown, proposal: `memory: "${memoryText(fitting)}"` } : shown;
}

function adviseTime({ timeLimitSeconds }: Asked, { longestSeconds }: Used): Advice {
  const base = {
    resource: "time",
    asked: timeLimitSeconds === null ? "none" : formatDuration(timeLimitSeconds),
  } as const;
  if (longestSeconds === null) return { ...base, used: "-" };
  const shown = { ...base, used: formatDuration(longestSeconds) };
  if (timeLimitSeconds === null) return shown;
  const fitting = Math.max(1, Math.ceil((longestSeconds * TIME_HEADROOM) / 60));
  const isFarOff = longestSeconds > 0.8 * timeLimitSeconds || timeLimitSeconds > 10 * fitting * 60;
  return isFarOff ? { ...shown, proposal: `time: "${fitting}m"` } : shown;
}

/** To two digits, and to whole 50 MB below a GB, as people write it. */
function roundedUp(bytes: number): number {
  if (bytes <= 1e9) return Math.max(1, Math.ceil(bytes / 50e6)) * 50e6;
  const unit = 10 ** (Math.floor(Math.log10(bytes)) - 1);
  return Math.ceil(bytes / unit) * unit;
}

function memoryText(bytes: number): string {
  return bytes < 1e9 ? `${bytes / 1e6}MB` : `${Number((bytes / 1e9).toPrecision(3))}GB`;
}
