import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import type { NewRun } from "@wf/store";
import { readSmallFile } from "../inputs/small-file.ts";

const run = promisify(execFile);
const LOCK_FILES = [
  "pnpm-lock.yaml",
  "package-lock.json",
  "yarn.lock",
  "uv.lock",
  "poetry.lock",
  "requirements.txt",
  "environment.yml",
];

/** Commit, branch, uncommitted changes and lock files of the repository that a workflow lies in; null outside of one. */
export async function gitState(folder: string): Promise<NewRun["git"]> {
  const git = async (...args: string[]): Promise<string | null> => {
    try {
      return (await run("git", args, { cwd: folder, timeout: 10_000, maxBuffer: 256e6 })).stdout;
    } catch {
      return null;
    }
  };
  const [top, commit, branch, changes] = await Promise.all([
    git("rev-parse", "--show-toplevel"),
    git("rev-parse", "HEAD"),
    git("symbolic-ref", "--short", "-q", "HEAD"),
    git("status", "--porcelain", "--untracked-files=no"),
  ]);
  if (top === null) return null;
  const diff = changes ? await git("diff", "HEAD") : null;
  return {
    commit: commit?.trim() ?? null,
    branch: branch?.trim() || null,
    diffHash: diff ? createHash("sha256").update(diff).digest("hex") : null,
    locks: locksIn(top.trim()),
  };
}

function locksIn(folder: string): Record<string, string> {
  const locks: Record<string, string> = {};
  for (const name of LOCK_FILES) {
    try {
      locks[name] = createHash("sha256")
        .update(readSmallFile(join(folder, name)))
        .digest("hex");
    } catch {
      // Most projects have one of them at most.
    }
  }
  return locks;
}
