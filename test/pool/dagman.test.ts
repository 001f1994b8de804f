/** What `wf export dagman` writes runs on a real pool without wf, and comes to the same as a run of wf. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@wf/testing";
import { describe, expect, test } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { makeProject, type Project } from "../e2e/wf-project.ts";
import { onSubmitHost } from "./condor-commands.ts";
import { found } from "./own-pool.ts";

const NUMBERS = ["numbers.ts", "numbers.py"].map((name): [string, string] => [
  name,
  readFileSync(fileURLToPath(new URL(`dagman/${name}`, import.meta.url)), "utf8"),
]);
const INPUTS = ["-i", "texts=texts", "-i", "first=texts/b.txt"];
const TASKS = 11;
/** A machine that has run a job waits for the next one, so that tests need not wait for machines. */
const POOL_SITE = {
  backend: "htcondor",
  storage: "/shared/wf",
  htcondor: { description: ["keep_claim_idle = 20"] },
};

describe.skipIf(found === null)("a DAG that was exported", () => {
  const pool = found as CondorPool;

  function newFolder(): string {
    const folder = mkdtempSync(join(pool.folder, "case-"));
    chmodSync(folder, 0o777);
    return folder;
  }

  function numbersProject(marker: string): Project {
    const env = { BROKEN_WHILE: marker };
    const sites = { pool: { ...POOL_SITE, env }, local: { env } };
    return makeProject({
      ...Object.fromEntries(NUMBERS),
      "sites.yaml": JSON.stringify({ sites }),
      "texts/a.txt": "1\n2\n",
      "texts/b.txt": "3\n4\n5\n",
      "texts/it's c.txt": "6\n7\n8\n9\n",
      "texts/left alone.md": "no number\n",
    });
  }

  /** To where all machines see it, and where the pool's user may write. */
  function moved(project: Project): string {
    const folder = join(newFolder(), "my dag");
    execFileSync("cp", ["-r", project.path("dag"), folder]);
    execFileSync("chown", ["-R", pool.user, folder]);
    return folder;
  }

  async function exported(project: Project, ...more: readonly string[]): Promise<string> {
    const args = ["export", "dagman", "numbers.ts", "--site", "pool", "-o", "dag", "--no-cache", "--json"];
    const { exitCode, events, stderr } = await project.wf([...args, ...INPUTS, ...more]);
    expect(exitCode, stderr).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: "exported", tasks: TASKS, leftOut: [], missing: [] });
    return moved(project);
  }

  /** The status with which DAGMan ends, when it has. */
  function submitted(folder: string): number {
    onSubmitHost(pool, "env", "-C", folder, "condor_submit_dag", "numbers.dag");
    onSubmitHost(pool, "condor_wait", "-wait", "55", join(folder, "numbers.dag.dagman.log"));
    return JSON.parse(readFileSync(join(folder, "numbers.dag.metrics"), "utf8")).exitcode;
  }

  async function outputsOfRun(project: Project): Promise<ReadonlyMap<string, string>> {
    const { exitCode, stderr } = await project.wf(["run", "numbers.ts", ...INPUTS, "--quiet", "--outputs", "outputs"]);
    expect(exitCode, stderr).toBe(0);
    return hashesOf(project.path("outputs"));
  }

  const attemptsOf = (folder: string, task: string) =>
    readdirSync(join(folder, "runs/numbers/records")).filter((name) => name.startsWith(`${task}@`));

  test("gives the outputs of a run, with tasks that share nodes", async () => {
    const project = numbersProject("");
    const folder = await exported(project, "--cluster", "2");
    expect(submitted(folder), readReport(folder)).toBe(0);
    const gathered = hashesOf(join(folder, "outputs"));
    expect(gathered.delete("metrics.json")).toBe(true);
    expect(gathered).toEqual(await outputsOfRun(project));
    expect(JSON.parse(readFileSync(join(folder, "outputs/metrics.json"), "utf8"))).toEqual({ seen: 6 });
    expect(readReport(folder)).toBe(`${TASKS} of ${TASKS} tasks have ended well\n`);
  });

  test("goes on from its rescue DAG when a task has failed", async () => {
    const marker = join(newFolder(), "broken");
    const project = numbersProject(marker);
    const folder = await exported(project);
    writeFileSync(marker, "");
    expect(submitted(folder)).toBe(1);
    expect(readReport(folder)).toContain(`${TASKS - 1} of ${TASKS} tasks have ended well\ntotal failed: `);
    expect(readdirSync(folder)).toContain("numbers.dag.rescue001");
    expect(readFileSync(join(folder, "runs/numbers/attempts/total@1/stderr"), "utf8")).toBe("broken on purpose\n");
    rmSync(marker);
    expect(submitted(folder), readReport(folder)).toBe(0);
    expect(attemptsOf(folder, "double.0")).toEqual(["double.0@1.json"]);
    expect(attemptsOf(folder, "total")).toEqual(["total@1.json", "total@2.json"]);
    const gathered = hashesOf(join(folder, "outputs"));
    gathered.delete("metrics.json");
    expect(gathered).toEqual(await outputsOfRun(project));
  });

  test("tries a task again whose job is evicted, without retries", async () => {
    const marker = join(newFolder(), "go on");
    const slow = `["sh", "-c", 'echo "$WF_ATTEMPT" > "$1"; until [ -e "$2" ]; do sleep 0.1; done', "sh", outputs.text, MARKER]`;
    const project = makeProject({
      "workflow.ts": `import { file, task, workflow } from "wf";
        const MARKER = ${JSON.stringify(marker)};
        const slow = task({ name: "slow", outputs: { text: file("txt") }, command: ({ outputs }) => ${slow} });
        export default workflow({ name: "evicted", build: () => ({ text: slow({}).text }) });`,
      "sites.yaml": JSON.stringify({ sites: { pool: POOL_SITE } }),
    });
    const { exitCode, stderr } = await project.wf(["export", "dagman", "workflow.ts", "--site", "pool", "-o", "dag"]);
    expect(exitCode, stderr).toBe(0);
    const folder = moved(project);
    onSubmitHost(pool, "env", "-C", folder, "condor_submit_dag", "evicted.dag");
    const isStarted = (attempt: string) => existsSync(join(folder, `runs/evicted/started/${attempt}.json`));
    await until("the first try of slow", () => isStarted("slow@1"));
    const jobs = onSubmitHost(pool, "condor_q", "-nobatch", "-constraint", 'DAGNodeName == "slow"', "-af:j", "Iwd");
    const job = jobs.split("\n").find((line) => line.endsWith(folder));
    onSubmitHost(pool, "condor_vacate_job", "-fast", (job as string).split(" ", 1)[0] as string);
    await until("the second try of slow", () => isStarted("slow@2"));
    writeFileSync(marker, "");
    onSubmitHost(pool, "condor_wait", "-wait", "55", join(folder, "evicted.dag.dagman.log"));
    expect(readReport(folder)).toBe("1 of 1 tasks have ended well\n");
    expect(readFileSync(join(folder, "outputs/text.txt"), "utf8")).toBe("slow@2\n");
  });
});

function readReport(folder: string): string {
  return readFileSync(join(folder, "report.txt"), "utf8");
}

/** The content of every file, by its path. */
function hashesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(
    paths.map((path) => [relative(folder, path), createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}
