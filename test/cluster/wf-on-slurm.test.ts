/** The real program on a real cluster: over ssh as from a laptop, and on the login node itself. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, describe, expect, it } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { finishOf, makeProject, type Project } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

/** Grows, collects a dataset, and has glue that reads what a task made. */
const WORDS = `
import { dataset, directory, file, fn, json, many, task, workflow, z } from "wf";

const split = task({
  name: "split",
  inputs: { text: file("txt") },
  outputs: { parts: directory() },
  command: ({ inputs, outputs }) => ["split", "-l", 2, inputs.text, \`\${outputs.parts}/part-\`],
});
const upper = task({
  name: "upper",
  inputs: { part: file() },
  outputs: { text: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'echo working >&2; tr a-z A-Z < "$1" > "$2"', "sh", inputs.part, outputs.text],
});
const join = fn({
  name: "join",
  inputs: { texts: many(file("txt")) },
  outputs: { length: json(z.number()), list: file("md") },
  run: async ({ inputs }) => {
    const { readFile } = await import("node:fs/promises");
    const texts = await Promise.all(inputs.texts.map((path) => readFile(path, "utf8")));
    return { length: texts.join("").length, list: texts.map((text) => \`- \${text.trim()}\`).join("\\n") };
  },
});
const sign = task({
  name: "sign",
  inputs: { list: file("md") },
  outputs: { signed: file("md") },
  params: z.object({ length: z.number() }),
  command: ({ inputs, outputs, params }) => ["sh", "-c", 'cat "$1" > "$2"; echo "$3" >> "$2"', "sh", inputs.list, outputs.signed, params.length],
});

export default workflow({
  name: "words",
  inputs: { text: file("txt", { path: "it's a text.txt" }) },
  build({ inputs }) {
    const texts = split({ text: inputs.text }).parts.files("*").map((part) => upper({ part })).text;
    const { length, list } = join({ texts });
    return { signed: sign({ list }, { length }).signed, texts };
  },
});
`;

const NAPS = `
import { each, file, task, workflow, z } from "wf";

const nap = task({
  name: "nap",
  params: z.object({ i: z.number() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["sh", "-c", 'echo "nap $1"; sleep 3; echo "$1" > "$2"', "sh", params.i, outputs.text],
});

export default workflow({ name: "naps", build: () => ({ texts: each([1, 2, 3, 4]).map((i) => nap({}, { i })).text }) });
`;

const FAILING = `
import { file, task, workflow } from "wf";

const boom = task({
  name: "boom",
  outputs: { text: file("txt") },
  command: () => ["sh", "-c", "echo no such luck >&2; exit 3"],
});

export default workflow({ name: "failing", build: () => ({ text: boom({}).text }) });
`;

const TEXT = "one\ntwo\nthree\nfour\nfive\n";
const SIGNED = "- ONE\nTWO\n- THREE\nFOUR\n- FIVE24\n";

describe.skipIf(found === null)("the program on a cluster", { concurrent: true }, () => {
  if (found === null) return;
  const root = mkdtempSync(join(cluster.folder, "wf-"));
  chmodSync(root, 0o777);
  const onLogin = { env: { SLURM_CONF: cluster.slurmConf } };
  afterAll(() => {
    execFileSync("scancel", ["--partition=main"], { env: { ...process.env, SLURM_CONF: cluster.slurmConf } });
    rmSync(root, { recursive: true, force: true });
  });

  function projectOn(name: string, files: Readonly<Record<string, string>>): Project {
    process.umask(0);
    const slurm = "slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 2, atMost: 5 } }";
    const site = `backend: slurm\n    storage: ${join(root, name)}\n    python: /usr/bin/python3\n    ${slurm}`;
    const sites = `sites:
  laptop:
    ${site}
    host: slurm
    sshConfig: ${cluster.sshConfig}
  login:
    ${site}
`;
    return makeProject({ "sites.yaml": sites, ...files });
  }

  const signedOf = (project: Project) => {
    const [run] = readdirSync(project.path(".wf", "runs")).sort().reverse();
    return project.read(".wf", "runs", run as string, "outputs", "signed.md");
  };

  it.each([
    ["over ssh", "laptop"],
    ["on the login node", "login"],
  ])("gives what this machine gives, %s, and knows it the next time", async (_where, site) => {
    const project = projectOn(`words-${site}`, { "words.ts": WORDS, "it's a text.txt": TEXT });
    const first = await project.wf(["run", "words.ts", "--site", site, "--json"], onLogin);
    expect(finishOf(first)).toMatchObject({ status: "succeeded" });
    expect(signedOf(project)).toBe(SIGNED);
    const again = await project.wf(["run", "words.ts", "--site", site, "--json"], onLogin);
    expect(finishOf(again)).toMatchObject({ status: "succeeded" });
    expect(project.ask("SELECT count(*) FROM attempt")).toBe(
      first.events.filter((e) => e.type === "attempt.finished").length,
    );
    const planned = await project.wf(["plan", "words.ts", "--site", site, "--json"], onLogin);
    expect(planned.events.find(({ type }) => type === "totals")).toMatchObject({ run: 0 });
    const printed = await project.wf(["logs", "last", "upper.1", "--stderr"], onLogin);
    expect(printed.stdout).toBe("working\n");
  });

  it("tells of a failure on the other machine as of one on this machine", async () => {
    const project = projectOn("failing", { "failing.ts": FAILING });
    const { exitCode, stdout } = await project.wf(["run", "failing.ts", "--site", "laptop"]);
    expect(exitCode).toBe(1);
    expect(stdout).toContain("boom failed: exit code 3");
    expect(stdout).toContain("no such luck");
    const repeat = /repeat {2}(ssh -t .*)/.exec(stdout)?.[1] as string;
    expect(() => execFileSync("sh", ["-c", repeat], { stdio: "pipe" })).toThrow(/no such luck/);
  });

  it("leaves jobs to run when it is killed, and takes their results when it is resumed", async () => {
    const project = projectOn("naps", { "naps.ts": NAPS });
    const { child, ended } = project.start(["run", "naps.ts", "--site", "laptop", "--json"]);
    await until("four starts", () => project.ask("SELECT count(*) FROM attempt WHERE started IS NOT NULL") === 4);
    child.kill("SIGKILL");
    await ended;
    const resumed = await project.wf(["resume", "--json"]);
    expect(finishOf(resumed)).toMatchObject({ status: "succeeded" });
    expect(project.ask("SELECT count(*) FROM attempt")).toBe(4);
  });

  it("goes on in the background with --detach, can be watched, and is told what the queue says", async () => {
    const project = projectOn("detached", { "naps.ts": NAPS });
    const { exitCode, events } = await project.wf(["run", "naps.ts", "--site", "laptop", "--detach", "--json"]);
    expect(exitCode).toBe(0);
    expect(events.at(-1)).toMatchObject({ type: "run.detached", run: expect.stringMatching(/^naps-1-/) });
    const followed = project.start(["logs", "last", "nap.0", "--follow", "--stdout"]);
    const attached = await project.wf(["attach"]);
    expect(attached.exitCode).toBe(0);
    expect(attached.stdout).toContain("succeeded");
    expect((await followed.ended).stdout).toBe("nap 1\n");
    const { stdout } = await project.wf(["status", "--json"]);
    const { queue } = JSON.parse(stdout);
    expect(queue.commands.sbatch).toBe(1);
    expect(Object.keys(queue.waiting)).toEqual([]);
  });
});
