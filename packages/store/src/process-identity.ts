import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Tells one process from every other one, also from a later one with the same pid. */
export interface ProcessIdentity {
  /** The machine; with the pid namespace, where that is not the machine's own. */
  readonly host: string;
  readonly pid: number;
  /** Null where the system does not tell, such as on macOS. */
  readonly bootId: string | null;
  /** Clock ticks from the boot to the start of the process; null where the system does not tell. */
  readonly startTicks: number | null;
}

export function thisProcess(): ProcessIdentity {
  const { pid } = process;
  return {
    host: placeOf(hostname(), namespaceOfPids()),
    pid,
    bootId: read("/proc/sys/kernel/random/boot_id")?.trim() ?? null,
    startTicks: statOf(pid)?.startTicks ?? null,
  };
}

/** What Linux calls the pid namespace of a machine itself. */
const MACHINES_OWN = "pid:[4026531836]";

/**
 * Where a pid means something. In a container, or behind `unshare --pid`, the same number is another process, so that
 * nobody there can see whether one of the machine lives: it is as if it were on another machine.
 */
export function placeOf(host: string, pidNamespace: string | undefined): string {
  return pidNamespace === undefined || pidNamespace === MACHINES_OWN ? host : `${host} ${pidNamespace}`;
}

/** The name of the machine alone, for people. */
export function machineOf({ host }: Pick<ProcessIdentity, "host">): string {
  return host.split(" ")[0] ?? host;
}

function namespaceOfPids(): string | undefined {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return undefined;
  }
}

/** Whether the process lives, on the machine and boot that it names. */
export type IsProcessAlive = (process: ProcessIdentity) => boolean;

export const isProcessAlive: IsProcessAlive = ({ pid, startTicks }) => {
  if (startTicks === null) return answersSignals(pid);
  const stat = statOf(pid);
  return stat !== undefined && stat.startTicks === startTicks && stat.state !== "Z" && stat.state !== "X";
};

/** The command's name stands in brackets and may hold brackets and spaces itself: the fields start after the last one. */
function statOf(pid: number): { readonly state: string; readonly startTicks: number } | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", startTicks: Number(fields[19]) };
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
