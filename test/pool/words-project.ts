import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { makeProject, type Project } from "../e2e/wf-project.ts";

const FILES = ["words.ts", "naps.ts", "failing.ts", "letters/table.py", "letters/count.py"];
const TEXT = "one\ntwo\nthree\nfour\nfive\n";

/** Text by its name, without what is not: objects of JSON. */
type Settings = Readonly<Record<string, unknown>>;

/** A project with the workflows of `words/`, and one site over ssh, "pool". */
export function wordsProject(pool: CondorPool, storage: string, settings: Settings = {}): Project {
  const { htcondor = {}, ...site } = settings;
  const pooled = {
    backend: "htcondor",
    host: "condor",
    sshConfig: pool.sshConfig,
    storage,
    python: "/usr/bin/python3",
    ...site,
    htcondor: { batchWindow: 0.05, poll: { every: 2, atMost: 5 }, ...(htcondor as Settings) },
  };
  const files = FILES.map((name) => [
    name,
    readFileSync(fileURLToPath(new URL(`words/${name}`, import.meta.url)), "utf8"),
  ]);
  return makeProject({
    ...Object.fromEntries(files),
    "it's a text.txt": TEXT,
    "sites.yaml": JSON.stringify({ sites: { pool: pooled } }),
  });
}

/** Where the user of the pool may write; jobs do not see what lies in the pool's hidden folder. */
export function newStorage(parent: string): string {
  const folder = mkdtempSync(join(parent, "words-"));
  chmodSync(folder, 0o777);
  return folder;
}

/** Of every file below a folder, by its path. */
export function hashesBelow(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}
