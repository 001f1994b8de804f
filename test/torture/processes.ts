import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface FoundProcess {
  readonly pid: number;
  readonly kind: "wf" | "launcher" | "task" | "other";
  readonly command: string;
}

/** Every process of which the command or the folder lies below a folder of the round. */
export function processesBelow(folder: string): readonly FoundProcess[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      if (command === "" || !(command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder))) {
        return [];
      }
      return [{ pid: Number(pid), kind: kindOf(pid, command), command }];
    } catch {
      return [];
    }
  });
}

function kindOf(pid: string, command: string): FoundProcess["kind"] {
  if (/packages\/cli\/bundle\/main\.js/.test(command)) return "wf";
  if (`\0${readFileSync(`/proc/${pid}/environ`, "utf8")}`.includes("\0WF_ATTEMPT=")) return "task";
  return /wf-launcher/.test(command) ? "launcher" : "other";
}

/** False if it was gone already. */
export function kill(pid: number): boolean {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
