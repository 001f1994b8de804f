/** A Python project says what it requires, and wf makes that ready: once, whole, and with words for what cannot be had. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@wf/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endOf, expectError, finishOf, type JsonEvent, makeProject, type Outcome, type Project } from "./wf-project.ts";

const FLOW = `
import { json, python, task, workflow, z } from "wf";

const show = task({
  name: "show",
  runtime: python("./model"),
  params: z.object({ n: z.number() }),
  outputs: { seen: json(z.any()) },
  command: ({ outputs, params }) => ["python", "-m", "small.show", params.n, outputs.seen],
});
const beside = task({
  name: "beside",
  outputs: { one: json(z.number()) },
  command: ({ outputs }) => ["sh", "-c", "echo 1 > " + outputs.one],
});

export default workflow({
  name: "flow",
  params: z.object({ n: z.number().default(1) }),
  build: ({ params }) => ({ seen: show({}, { n: params.n }).seen, one: beside({}).one }),
});
`;
const SHOW = `
import json, os, sys, tiny
seen = {"n": int(sys.argv[1]), "answer": tiny.answer, "code": sorted(os.listdir("code/project"))}
with open(sys.argv[2], "w") as out:
    json.dump(seen, out)
`;
const PYPROJECT = `
[project]
name = "small"
version = "1"
requires-python = ">=3.6"
dynamic = ["dependencies"]
`;
/** A package in a file, which needs no index: argv is where it goes. */
const MAKE_WHEEL = `
import sys, zipfile
info = "tiny-1.5.dist-info"
files = {
    "tiny.py": "answer = 42\\n",
    info + "/METADATA": "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.5\\n",
    info + "/WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
files[info + "/RECORD"] = "".join(name + ",,\\n" for name in [*files, info + "/RECORD"])
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
`;

/** Takes the words of uv and unpacks the wheels of the project: a build that takes no longer than it must. */
const STAND_IN_FOR_UV = `
import glob, os, subprocess, sys, sysconfig, time, zipfile
if sys.argv[1] == "venv":
    sys.exit(subprocess.call([sys.executable, "-m", "venv", "--without-pip", sys.argv[-1]]))
while os.path.exists("gate"):
    time.sleep(0.02)
environment = os.path.dirname(os.path.dirname(sys.argv[sys.argv.index("--python") + 1]))
for line in open(sys.argv[-1]):
    if not line.startswith("tiny"):
        sys.exit("Because " + line.strip().split(">")[0] + " was not found in the package registry")
for wheel in glob.glob("wheels/*.whl"):
    zipfile.ZipFile(wheel).extractall(sysconfig.get_path("purelib", vars={"base": environment}))
`;

/** A site with one python3, a shell, and no way to install anything but files. */
let bin: string;
let uvBin: string;
let python: string;
const canBuild = spawnSync("python3", ["-c", "import ensurepip"]).status === 0;
beforeAll(() => {
  bin = mkdtempSync(join(tmpdir(), "wf-site-"));
  uvBin = mkdtempSync(join(tmpdir(), "wf-uv-"));
  const asked = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  python = asked.trim();
  symlinkSync(python, join(bin, "python3"));
  for (const name of ["sh", "env"]) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  writeFileSync(join(uvBin, "uv"), `#!${python} -S\n${STAND_IN_FOR_UV}`, { mode: 0o755 });
});
afterAll(() => {
  for (const folder of [bin, uvBin]) rmSync(folder, { recursive: true, force: true });
});

function makeModel(requirements: string): Project {
  const project = makeProject({
    "flow.ts": FLOW,
    "model/pyproject.toml": PYPROJECT,
    "model/requirements.txt": requirements,
    "model/src/small/__init__.py": "",
    "model/src/small/show.py": SHOW,
    "model/src/small.egg-info/PKG-INFO": "",
    "model/tests/test_show.py": "",
  });
  mkdirSync(project.path("model", "wheels"));
  execFileSync(python, ["-c", MAKE_WHEEL, project.path("model", "wheels", "tiny-1.5-py3-none-any.whl")]);
  return project;
}

const wf = (project: Project, ...words: readonly string[]) => project.wf(words, { env: { PATH: bin } });
const withUv = (project: Project, ...words: readonly string[]) =>
  project.start(words, { env: { PATH: `${uvBin}:${bin}` } });
const eventsOf = (outcome: Outcome, type: string) => outcome.events.filter((event) => event.type === type);
const WHEELS = "--no-index  # no network\n--find-links ./wheels\n-r more.txt\n";

describe("a Python runtime", () => {
  it("is built once from what a project requires, is reused, and is not asked for by cached runs", async ({ skip }) => {
    skip(!canBuild, "SKIPPED: python3 has no ensurepip. Type: sudo apt-get install python3-venv");
    const project = makeModel(WHEELS);
    project.write("model/more.txt", "tiny>=1.5,\\\n  <2\n");
    const planned = await wf(project, "plan", "flow.ts");
    expect(planned.stdout).toContain("a python runtime will be prepared: Python >=3.6");

    const first = await wf(project, "run", "flow.ts", "--json", "--outputs", "results");
    expect(finishOf(first), first.stderr).toMatchObject({ status: "succeeded" });
    expect(JSON.parse(project.read("results", "seen.json"))).toEqual({ n: 1, answer: 42, code: ["small"] });
    expect(eventsOf(first, "runtime.preparing").length).toBeGreaterThan(1);
    const [ready] = eventsOf(first, "runtime.ready") as [JsonEvent];
    expect(ready).toMatchObject({ stage: "show", how: "venv", packages: { tiny: "1.5" }, wasReady: false });
    const key = endOf(first, "show")?.key;

    const again = await wf(project, "run", "flow.ts", "--json", "-p", "n=2");
    expect(eventsOf(again, "runtime.preparing")).toEqual([]);
    expect(eventsOf(again, "runtime.ready")).toMatchObject([{ runtime: ready.runtime, wasReady: true }]);
    const cached = await wf(project, "run", "flow.ts", "--json");
    expect(finishOf(cached)).toMatchObject({ status: "succeeded" });
    expect(eventsOf(cached, "runtime.ready")).toEqual([]);

    expect((await wf(project, "plan", "flow.ts", "-p", "n=3")).stdout).not.toContain("will be prepared");
    const examined = await wf(project, "doctor", "flow.ts", "--json");
    const shown = examined.events.find((event) => event.name === "runtime");
    expect(shown).toMatchObject({ health: "ok", says: expect.stringMatching(/tiny 1\.5 \(built with venv and pip: /) });

    project.write("model/more.txt", "tiny>=1.4\n");
    const other = await wf(project, "plan", "flow.ts");
    expect(other.stdout).toMatch(/show +1 +1.*runtime changed/);
    expect(key).toMatch(/^[0-9a-f]{64}$/);
  });

  it("that cannot be had names the package and keeps what has run; after the mending, resume goes on", async () => {
    const project = makeModel("nobody-has-this>=3\n");
    const failed = await withUv(project, "run", "flow.ts", "--json").ended;
    expectError(failed, "WF_RUNTIME_UNAVAILABLE", {
      says: /no Python with nobody-has-this can be had\. Tried:\n(.*\n)*uv: the package index has no nobody-has-this/,
      where: /model\/pyproject\.toml$/,
      next: /correct or remove nobody-has-this in .*run the workflow again: what has run is reused/,
    });
    expect(finishOf(failed)).toMatchObject({ status: "failed" });
    expect(endOf(failed, "beside")).toMatchObject({ state: "done" });
    const examined = await wf(project, "doctor", "flow.ts", "--json");
    expect(examined.events.find((event) => event.name === "runtime")).toMatchObject({ health: "warn" });

    execFileSync(python, ["-m", "venv", "--without-pip", project.path("model", ".venv")]);
    const script = "import sysconfig; print(sysconfig.get_path('purelib'))";
    const site = execFileSync(project.path("model", ".venv", "bin", "python3"), ["-c", script], { encoding: "utf8" });
    const inside = site.trim().slice(project.folder.length + 1);
    project.write(join(inside, "nobody_has_this.py"), "__version__ = '3.1'\n");
    project.write(join(inside, "tiny.py"), "answer = 7\n");
    const resumed = await wf(project, "resume", "--json", "--outputs", "results");
    expect(finishOf(resumed), resumed.stderr).toMatchObject({ status: "succeeded" });
    expect(endOf(resumed, "beside")).toMatchObject({ state: "done", replayed: true });
    expect(eventsOf(resumed, "runtime.ready")).toMatchObject([
      { how: "found", packages: { "nobody-has-this": "3.1" } },
    ]);
    expect(JSON.parse(project.read("results", "seen.json"))).toMatchObject({ answer: 7 });
  });

  it("is built by one of two runs that start together, while the other waits and says so", async () => {
    const project = makeModel("tiny\n");
    project.write("model/gate", "");
    const first = withUv(project, "run", "flow.ts", "--json");
    await until("the first to build", () => first.stdout().includes("makes an environment"), {
      lastSeen: first.stdout,
    });
    const second = withUv(project, "run", "flow.ts", "--json", "-p", "n=2");
    await until("the second to wait", () => second.stdout().includes("waiting for it"), { lastSeen: second.stdout });
    rmSync(project.path("model", "gate"));
    const [one, two] = await Promise.all([first.ended, second.ended]);
    for (const outcome of [one, two]) expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
    const ready = [one, two].map((outcome) => eventsOf(outcome, "runtime.ready")[0]);
    expect(ready[0]).toMatchObject({ how: "uv", packages: { tiny: "1.5" } });
    expect(ready[0]?.runtime).toBe(ready[1]?.runtime);
  });

  it("that is being built is given up with the run, and nothing half made is left", async () => {
    const project = makeModel("tiny\n");
    project.write("model/gate", "");
    const run = withUv(project, "run", "flow.ts", "--json");
    await until(
      "it to build, and the end of the other task",
      () => run.stdout().includes("makes an environment") && run.stdout().includes('"state":"done"'),
      { lastSeen: run.stdout },
    );
    run.child.kill("SIGINT");
    const stopped = await run.ended;
    expect(finishOf(stopped)).toMatchObject({ status: "stopped" });
    expect(stopped.exitCode).toBe(130);
    rmSync(project.path("model", "gate"));
    const resumed = await withUv(project, "resume", "--json").ended;
    expect(finishOf(resumed), resumed.stderr).toMatchObject({ status: "succeeded" });
    expect(endOf(resumed, "beside")).toMatchObject({ replayed: true });
  });
});

it("what cannot be understood is refused before anything runs", async () => {
  const project = makeProject({ "flow.ts": FLOW, "model/pyproject.toml": "[project\n", "model/src/small/show.py": "" });
  const outcome = await wf(project, "run", "flow.ts", "--json");
  expectError(outcome, "WF_RUNTIME_INVALID", {
    says: /cannot be used/,
    where: /pyproject\.toml:1$/,
    next: /\[project\]/,
  });
  expect(project.runs()).toEqual([]);
});
