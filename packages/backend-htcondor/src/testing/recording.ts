import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a command printed on a real pool, and how it ended. */
export interface Recording {
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const FOLDER = fileURLToPath(new URL("../../recorded", import.meta.url));

export function recording(name: string): Recording {
  const text = readFileSync(join(FOLDER, `${name}.txt`), "utf8");
  const [, head = "", stdout = ""] = /^((?:# .*\n)*)([\s\S]*)$/.exec(text) ?? [];
  const stderr = join(FOLDER, `${name}.stderr.txt`);
  const field = (key: string) => new RegExp(`^# ${key}: (.*)$`, "m").exec(head)?.[1] ?? "";
  return {
    command: field("command"),
    code: Number(field("exit")),
    stdout,
    stderr: existsSync(stderr) ? readFileSync(stderr, "utf8") : "",
  };
}

/** The event log of a job, by what became of it. */
export function recordedLog(name: string): string {
  return readFileSync(join(FOLDER, `${name}.log.xml`), "utf8");
}

export function recordedLogs(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(".log.xml"))
    .map((file) => file.slice(0, -".log.xml".length));
}
