/** The real program on a real pool, over ssh as from a laptop, on machines that see the storage and on some that do not. */

import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { finishOf, type Project } from "../e2e/wf-project.ts";
import { onSubmitHost } from "./condor-commands.ts";
import { type HttpStore, serveStorage } from "./http-store.ts";
import { found } from "./own-pool.ts";
import { hashesBelow, newStorage, wordsProject } from "./words-project.ts";

const SECRET = "never-written-anywhere";
const STORE_TOKEN = "of-the-store-alone";
const ENV = { WORDS_TOKEN: SECRET, STORE_TOKEN };
const RUN = ["run", "words.ts", "--outputs", "outputs", "--json"];

describe.skipIf(found === null)("the program on a pool", { concurrent: true }, () => {
  const pool = found as CondorPool;
  let expected: Readonly<Record<string, string>>;
  let http: HttpStore;
  let httpStorage: string;
  beforeAll(async () => {
    process.umask(0);
    httpStorage = newStorage(pool.hidden);
    http = await serveStorage(pool, httpStorage, STORE_TOKEN);
    const project = wordsProject(pool, newStorage(pool.folder));
    expect(finishOf(await project.wf(RUN, { env: ENV }))).toMatchObject({ status: "succeeded" });
    expected = hashesBelow(project.path("outputs"));
  });
  afterAll(() => http?.close());

  const places: Readonly<Record<string, () => Project>> = {
    "links into a storage that all see": () => wordsProject(pool, newStorage(pool.folder)),
    "HTCondor's own file transfer": () => wordsProject(pool, newStorage(pool.hidden), { placement: "transfer" }),
    "copies over ssh": () => {
      const storage = newStorage(pool.hidden);
      const store = {
        url: `ssh://${pool.user}@127.0.0.1:${pool.sshPort}${storage}`,
        identity: ownCopy(pool.privateKey, join(storage, "key")),
        knownHosts: pool.knownHosts,
      };
      return wordsProject(pool, storage, { placement: "copy", htcondor: { store } });
    },
    "copies over http": () => {
      const store = { url: http.url, tokenVariable: "STORE_TOKEN" };
      return wordsProject(pool, httpStorage, { placement: "copy", htcondor: { store } });
    },
  };

  it.for(Object.entries(places))(
    "gives what this machine gives, by %s, and knows it the next time",
    async ([how, make], { expect }) => {
      const project = make();
      const first = await project.wf([...RUN, "--site", "pool"], { env: ENV });
      expect(finishOf(first), first.stderr).toMatchObject({ status: "succeeded" });
      expect(hashesBelow(project.path("outputs"))).toEqual(expected);
      expect(filesThatHold(SECRET, project)).toBe("");
      const attempts = project.ask<number>("SELECT count(*) FROM attempt");
      const again = await project.wf([...RUN, "--site", "pool"], { env: ENV });
      expect(finishOf(again), again.stderr).toMatchObject({ status: "succeeded" });
      expect(project.ask("SELECT count(*) FROM attempt")).toBe(attempts);

      const [run] = project.runs();
      const logs = await project.wf(["logs", run as string, "upper.1", "--stderr"]);
      expect(logs.stdout).toBe("working\n");
      // Accounting is asked some seconds after a job has ended.
      await until("the account of letters", async () => {
        const { stdout } = await project.wf(["show", run as string, "letters"]);
        expect(stdout).toMatch(/sent there.*sent back.*starts.*slot\n.*exit 0.* slot\d_\d+@/);
        return true;
      });
      const account = "FROM account WHERE task = 'letters'";
      expect(project.ask(`SELECT starts ${account}`)).toBe(1);
      expect(project.ask(`SELECT wait_seconds ${account}`)).toBeGreaterThanOrEqual(0);
      const isSent = !how.startsWith("links");
      expect(project.ask(`SELECT received_mb > 0 AND sent_mb > 0 ${account}`)).toBe(isSent ? 1 : 0);
    },
  );

  it.each(["shared", "transfer"])(
    "tells of a failure on the other machine as of one on this machine (%s)",
    async (placement) => {
      const project = wordsProject(pool, newStorage(placement === "shared" ? pool.folder : pool.hidden), { placement });
      const { exitCode, stdout } = await project.wf(["run", "failing.ts", "--site", "pool"]);
      expect(exitCode).toBe(1);
      expect(stdout).toContain("boom failed: exit code 3");
      expect(stdout).toContain("no such luck");
      const repeat = /repeat {2}(ssh -t .*)/.exec(stdout)?.[1] as string;
      expect(() => execFileSync("sh", ["-c", repeat], { stdio: "pipe" })).toThrow(/no such luck/);
    },
  );

  it("goes on in the background with --detach, and can be watched", async () => {
    const project = wordsProject(pool, newStorage(pool.hidden), { placement: "transfer" });
    const { exitCode, events } = await project.wf(["run", "naps.ts", "--site", "pool", "--detach", "--json"]);
    expect(exitCode).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: "run.detached", run: expect.stringMatching(/^naps-1-/) });
    const attached = await project.wf(["attach"]);
    expect(attached.exitCode).toBe(0);
    expect(attached.stdout).toContain("succeeded");
    const { queue } = JSON.parse((await project.wf(["status", "--json"])).stdout);
    expect(queue.commands.condor_submit).toBe(1);
    expect(queue.waiting).toEqual({});
  });

  it("says which jobs are held and what to type, and leaves none behind when it is cancelled", async ({ expect }) => {
    const htcondor = { requirements: 'Machine == "none of these"' };
    const project = wordsProject(pool, newStorage(pool.folder), { htcondor });
    const run = project.start(["run", "naps.ts", "--site", "pool", "--json"]);
    const job = await until("the job of nap.1", () =>
      project.ask<string>("SELECT queue_job FROM account WHERE task = 'nap.1'"),
    );
    const [cluster] = job.split(".");
    const names = onSubmitHost(pool, "condor_q", `${cluster}`, "-af", "JobBatchName").trim().split("\n");
    const name = expect.stringMatching(new RegExp(`^nap\\.0\\+2-${project.runs()[0]}-[0-9a-f]{16}$`));
    expect(names).toEqual([name, name, name]);
    onSubmitHost(pool, "condor_hold", "-reason", "to be looked at", job);
    await until("the held job in the status", async () => {
      const { stdout } = await project.wf(["status"]);
      expect(stdout).toMatch(
        /2 waiting \(idle\), 1 held \(to be looked at \(by user \w+\) \[hold 1\.0\]\): condor_release \d+\.1 lets/,
      );
      return true;
    });
    const cancelled = await project.wf(["cancel"]);
    expect(cancelled.exitCode, cancelled.stderr).toBe(0);
    expect((await run.ended).exitCode).toBe(130);
    const queued = () => onSubmitHost(pool, "condor_q", `${cluster}`, "-af", "ProcId");
    await until("an empty queue", () => queued() === "", { lastSeen: queued });
  });

  it("waits for no job that is held when it is drained, names it, and takes it out of the queue", async ({
    expect,
  }) => {
    const project = wordsProject(pool, newStorage(pool.folder));
    const words = ["run", "naps.ts", "--site", "pool", "--plain", "--param", "seconds=3600"];
    const run = project.start(words);
    const started = () => project.ask("SELECT count(*) FROM attempt WHERE started IS NOT NULL");
    await until("three tasks that run", () => started() === 3, { lastSeen: started });
    const jobs = [0, 1, 2].map((i) => project.ask<string>(`SELECT queue_job FROM account WHERE task = 'nap.${i}'`));
    const [first, second, third] = jobs as [string, string, string];
    onSubmitHost(pool, "condor_hold", "-reason", "to be looked at", first);
    const held = () => project.ask("SELECT count(*) FROM event WHERE type = 'attempts.held'");
    await until("a job that is held", () => held() === 1, { lastSeen: held });
    expect((await project.wf(["cancel", "--drain"])).exitCode).toBe(0);
    await until("the word that it stops", () => /stopping: waits for 2 running tasks/.test(run.stdout()), {
      lastSeen: () => run.stdout(),
    });
    const named = () => run.stdout().includes(`nap.0: job ${first} is held (to be looked at`);
    await until("the name of what it does not wait for", named, { lastSeen: () => run.stdout() });

    onSubmitHost(pool, "condor_hold", "-reason", "these, too", second, third);
    const { exitCode, stdout } = await run.ended;
    expect(exitCode).toBe(130);
    for (const job of [second, third]) expect(stdout).toContain(`job ${job} is held (these, too`);
    const [cluster] = first.split(".");
    const queued = () => onSubmitHost(pool, "condor_q", `${cluster}`, "-af", "ProcId");
    await until("an empty queue", () => queued() === "", { lastSeen: queued });
  });

  /** Of the store and of the storage, which has the run's submissions, logs and records. */
  function filesThatHold(text: string, project: Project): string {
    const { storage } = JSON.parse(project.read("sites.yaml")).sites.pool;
    return spawnSync("grep", ["-rlF", text, project.path(".wf"), storage], { encoding: "utf8" }).stdout;
  }

  /** One that the user of the pool may read. */
  function ownCopy(path: string, copy: string): string {
    copyFileSync(path, copy);
    const [uid, gid] = ["-u", "-g"].map((option) =>
      Number(execFileSync("id", [option, pool.user], { encoding: "utf8" })),
    );
    chownSync(copy, uid as number, gid as number);
    return copy;
  }
});
