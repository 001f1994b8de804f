import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const VERSIONS = ["slurm-22.05", "slurm-24.11"] as const;
export type Version = (typeof VERSIONS)[number];

/** What a command printed on a real cluster, and how it ended. */
export interface Recording {
  readonly name: string;
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const OWN = fileURLToPath(new URL("../../recorded", import.meta.url));

/** Some sixty situations, where they are at hand; the project keeps a few of them. */
export function largeRecordings(): string | null {
  const data = process.env.WF_TEST_DATA;
  const folders = [process.env.WF_TEST_CLUSTERS, data && join(data, "../clusters/recorded")];
  return folders.find((folder) => folder && existsSync(join(folder, VERSIONS[0]))) ?? null;
}

export function recording(version: Version, name: string, root: string = OWN): Recording {
  const text = readFileSync(join(root, version, `${name}.txt`), "utf8");
  const [, head = "", stdout = ""] = /^((?:# .*\n)*)([\s\S]*)$/.exec(text) ?? [];
  const field = (key: string) => new RegExp(`^# ${key}: (.*)$`, "m").exec(head)?.[1] ?? "";
  const stderr = join(root, version, `${name}.stderr.txt`);
  return {
    name,
    command: field("command"),
    code: Number(field("exit")),
    stdout,
    stderr: existsSync(stderr) ? readFileSync(stderr, "utf8") : "",
  };
}

export function recordings(version: Version, root: string, names: RegExp): readonly Recording[] {
  return readdirSync(join(root, version))
    .filter((file) => file.endsWith(".txt") && !file.endsWith(".stderr.txt"))
    .map((file) => file.slice(0, -".txt".length))
    .filter((name) => names.test(name))
    .map((name) => recording(version, name, root));
}
