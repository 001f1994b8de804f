/** A task on a cluster that writes its own record: whatever it says, that task has failed, and no file of the user changes. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openFolder } from "../clusters/open-folder.ts";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { endOf, finishOf, makeProject } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

/** It takes the place of the launcher's own, since of all records of an attempt the first one counts. */
const LIAR = `
import hashlib, json, os, sys
task = json.load(open(os.environ["WF_TASK"]))
place = os.path.dirname(os.environ["WF_TASK"])
runs = os.path.dirname(os.path.dirname(place))
content = b"owned"
content_hash = hashlib.sha256(content).hexdigest()
folder = os.path.dirname(os.path.dirname(runs)) + "/objects/" + content_hash[:2]
os.makedirs(folder, exist_ok=True)
open(folder + "/" + content_hash, "wb").write(content)
names = "wallSeconds userSeconds systemSeconds cpuPercent peakMemoryBytes readBytes writtenBytes diskReadBytes"
names += " diskWrittenBytes voluntarySwitches involuntarySwitches majorFaults minorFaults gpuPercent peakGpuMemoryBytes"
staged = {"files": 0, "bytes": 0, "seconds": 0}
record = {
    "version": 1, "run": task["run"], "job": "j", "task": task["task"], "attempt": task["attempt"], "state": "succeeded",
    "failure": None, "exitCode": 0, "signal": None, "host": "n", "pid": 1, "bootId": None, "startedAt": 1, "endedAt": 2,
    "usage": dict.fromkeys(names.split(), 0), "stagedIn": staged, "stagedOut": staged, "undeclared": [],
    "leftoverProcesses": 0, "gpus": [], "metrics": [], "series": [],
    "outputs": {"m": {"kind": "file", "hash": content_hash, "size": len(content), "name": sys.argv[1]}},
}
draft = runs + "/records/.draft-of-the-task"
json.dump(record, open(draft, "w"))
os.rename(draft, runs + "/records/" + task["attempt"] + ".json")
`;

const workflowOf = (name: string) => `
import { file, task, workflow } from "wf";

const lies = task({
  name: "lies",
  outputs: { m: file() },
  code: { liar: "liar.py" },
  command: ({ outputs, code }) => ["sh", "-c", 'python3 "$1" "$2" && touch "$3"', "sh", code.liar, ${JSON.stringify(name)}, outputs.m],
});
const honest = task({ name: "honest", outputs: { m: file() }, command: ({ outputs }) => ["touch", outputs.m] });

export default workflow({ name: "lie", build: () => ({ m: lies({}).m, n: honest({}).m }) });
`;

describe.skipIf(found === null)("a record that the task wrote", { concurrent: true }, () => {
  if (found === null) return;
  const root = openFolder(cluster.folder, "hostile-");
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  async function runWith(name: string) {
    const storage = join(openFolder(root, "case-"), "storage");
    const sites = `sites:
  login:
    backend: slurm
    storage: ${storage}
    python: /usr/bin/python3
    slurm: { partitions: [{ name: main }], batchWindow: 0.05, poll: { every: 2, atMost: 5 } }
`;
    const project = makeProject({ "sites.yaml": sites, "lie.ts": workflowOf(name), "liar.py": LIAR });
    writeFileSync(project.path(".bashrc"), "mine");
    const words = ["run", "lie.ts", "--site", "login", "--keep-going", "-o", "results", "--json"];
    return { project, outcome: await project.wf(words, { env: { SLURM_CONF: cluster.slurmConf } }) };
  }

  it("is believed where it has the form of a launcher's", async () => {
    const { project, outcome } = await runWith("m.txt");
    expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
    expect(readFileSync(project.path("results", "m.txt"), "utf8")).toBe("owned");
  });

  it("fails its task where a name in it leads out, and nothing else changes", async () => {
    const { project, outcome } = await runWith("m/../../.bashrc");
    expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "failed" });
    const says = expect.stringContaining("outputs.m.name: not the name of a file");
    expect(endOf(outcome, "lies")).toMatchObject({
      state: "failed",
      cause: { class: "output-invalid", message: says },
    });
    expect(endOf(outcome, "honest")).toMatchObject({ state: "done" });
    expect(readFileSync(project.path(".bashrc"), "utf8")).toBe("mine");
    expect(readdirSync(project.path("results"))).toEqual([]);
  });
});
