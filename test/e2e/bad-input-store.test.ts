/** A store that cannot be used, and a disk that is full: nothing is lost, and after the cure the run goes on. */
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { endOf, expectError, finishOf, makeProject, Project } from "./wf-project.ts";

/** What `second` does is a parameter: `$1` is its input, `$2` its output. */
const WORKFLOW = `
import { file, task, workflow, z } from "wf";
const first = task({
  name: "first",
  outputs: { text: file() },
  command: ({ outputs }) => ["sh", "-c", 'echo first > "$1"', "sh", outputs.text],
});
const second = task({
  name: "second",
  inputs: { text: file() },
  params: z.object({ script: z.string() }),
  outputs: { text: file() },
  command: ({ inputs, outputs, params }) => ["sh", "-c", params.script, "sh", inputs.text, outputs.text],
});
export default workflow({
  name: "two",
  params: z.object({ script: z.string().default('cat "$1" > "$2"') }),
  build: ({ params }) => second({ text: first({}).text }, { script: params.script }),
});
`;
const RUN = ["run", "two.ts", "--json"];

async function ranOnce(): Promise<Project> {
  const project = makeProject({ "two.ts": WORKFLOW });
  const outcome = await project.wf(RUN);
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  return project;
}

/** The store opens, and knows what it knew. */
async function expectCached(project: Project): Promise<void> {
  const outcome = await project.wf(RUN);
  expect(outcome.exitCode, outcome.stderr).toBe(0);
  expect(endOf(outcome, "second")?.state).toBe("cached");
}

describe.concurrent("a store", () => {
  it("of a newer wf is left alone", async () => {
    const project = await ranOnce();
    const setVersion = (version: number) => {
      const db = new Database(project.path(".wf", "wf.db"));
      const before = db.pragma("user_version", { simple: true }) as number;
      db.pragma(`user_version = ${version}`);
      db.close();
      return before;
    };
    const version = setVersion(999);
    const outcomes = await Promise.all([
      project.wf(RUN),
      project.wf(["runs", "--json"]),
      project.wf(["resume", "--json"]),
    ]);
    for (const outcome of outcomes) {
      expectError(outcome, "WF_STORE_NEWER", {
        says: /version 999/,
        where: /\.wf\/wf\.db$/,
        next: /newer wf.*--store/,
      });
    }
    expect(setVersion(version)).toBe(999);
    await expectCached(project);
  });

  it("that is damaged is left as it is", async () => {
    const project = await ranOnce();
    const file = project.path(".wf", "wf.db");
    const sound = readFileSync(file);
    const damaged = Buffer.from(sound).fill("damage", 0, 4096);
    writeFileSync(file, damaged);
    const outcomes = await Promise.all([project.wf(RUN), project.wf(["show", "--json"])]);
    for (const outcome of outcomes) {
      expectError(outcome, "WF_STORE_OPEN", { says: /damaged/, where: /wf\.db$/, next: /backup|recover/ });
    }
    expect(readFileSync(file).equals(damaged)).toBe(true);
    writeFileSync(file, sound);
    await expectCached(project);
  });

  it("that is another program's database is left alone", async () => {
    const project = makeProject({ "two.ts": WORKFLOW });
    mkdirSync(project.path(".wf"));
    const db = new Database(project.path(".wf", "wf.db"));
    db.exec("CREATE TABLE mine (x); INSERT INTO mine VALUES (7)");
    db.close();
    expectError(await project.wf(RUN), "WF_STORE_OPEN", { says: /not one of wf/, where: /wf\.db$/, next: /--store/ });
    expect(project.ask("SELECT x FROM mine")).toBe(7);
  });

  it("that is a file is left alone", async () => {
    const project = makeProject({ "two.ts": WORKFLOW, ".wf": "mine" });
    expectError(await project.wf(RUN), "WF_STORE_OPEN", { says: /not a directory/, where: /\.wf/, next: /--store/ });
    expect(project.read(".wf")).toBe("mine");
  });

  it("of nobody has nothing to show", async () => {
    const project = makeProject({});
    expectError(await project.wf(["status", "--json"]), "WF_STORE_OPEN", { says: /no store/, next: /wf run FILE/ });
    expect(readdirSync(project.folder)).toEqual([]);
  });
});

const isRoot = process.platform === "linux" && process.getuid?.() === 0;

/** No NFS, 9p or CIFS server is at hand; a FUSE file system, as sshfs is one, is refused for the same reason. */
describe("a store on a network file system", () => {
  it("is refused before anything is written", async ({ skip }) => {
    skip(!isRoot || !existsSync("/dev/fuse"), "SKIPPED: FUSE can only be mounted by root, where /dev/fuse is");
    const project = makeProject({ "two.ts": WORKFLOW });
    mkdirSync(project.path("remote"));
    const script = fileURLToPath(new URL("./fuse_folder.py", import.meta.url));
    const mounted = spawn("python3", [script, project.path("remote")], { stdio: ["pipe", "pipe", "inherit"] });
    const gone = new Promise((resolve) => mounted.once("close", resolve));
    try {
      const word = await Promise.race([gone, new Promise((resolve) => mounted.stdout.once("data", resolve))]);
      skip(!String(word).startsWith("mounted"), "SKIPPED: this kernel mounts no FUSE");
      const store = project.path("remote");
      const outcomes = await Promise.all([
        project.wf([...RUN, "--store", store]),
        project.wf(RUN, { env: { WF_STORE: `${store}/deep/folder` } }),
      ]);
      for (const outcome of outcomes) {
        expectError(outcome, "WF_STORE_NETWORK", {
          says: /network file system: FUSE/,
          where: /remote/,
          next: /--store.*WF_STORE/,
        });
      }
      expect(readdirSync(project.folder).sort()).toEqual(["remote", "two.ts"]);
    } finally {
      mounted.stdin.end();
      await gone;
    }
    await project.wf(RUN);
    await expectCached(project);
  });
});

describe.concurrent("a full disk", () => {
  const REASON = "SKIPPED: a small file system can only be mounted by root";

  /** A project on a file system of its own; undefined where none can be mounted. */
  const smallDisk = async (work: (project: Project, resize: (megabytes: number) => void) => Promise<void>) => {
    const { folder } = makeProject({});
    const mount = (...options: string[]) =>
      spawnSync("mount", [...options, "-t", "tmpfs", "tmpfs", folder]).status === 0;
    if (!isRoot || !mount("-o", "size=6m")) return false;
    try {
      await work(new Project(folder, { "two.ts": WORKFLOW }), (megabytes) => {
        expect(mount("-o", `remount,size=${megabytes}m`)).toBe(true);
      });
    } finally {
      spawnSync("umount", ["-l", folder]);
    }
    return true;
  };

  const expectFull = (outcome: Parameters<typeof expectError>[0]) =>
    expectError(outcome, "WF_DISK_FULL", { says: /full/, where: /\.wf/, next: /wf resume/ });

  it("while a task writes", async ({ skip }) => {
    const isDone = await smallDisk(async (project, resize) => {
      const full = await project.wf([...RUN, "-p", 'script=head -c 8000000 /dev/zero > "$2"']);
      // Whether there is room for the store, too, once the sandbox is cleared is a matter of moments.
      if (endOf(full, "second")?.cause?.class === "disk-full") expect(full.exitCode).toBe(1);
      else expectFull(full);
      const status = await project.wf(["status", "--json"]);
      expect(status.events[0]?.tasks).toMatchObject({ done: 1 });
      resize(64);
      let resumed = await project.wf(["resume", "--json"]);
      // Whether the record of the failure could be written before wf gave up is a matter of moments; it is told first.
      if (endOf(resumed, "second")?.cause?.class === "disk-full") resumed = await project.wf(["resume", "--json"]);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      expect(finishOf(resumed)?.outputs.text.sizeBytes).toBe(8_000_000);
      expect(project.ask("SELECT count(*) FROM attempt WHERE task = 'first'")).toBe(1);
    });
    skip(!isDone, REASON);
  });

  it("while the store writes", async ({ skip }) => {
    const isDone = await smallDisk(async (project) => {
      const filler = project.path("filler");
      const fill = `if [ -e '${project.path("fill")}' ]; then rm '${project.path("fill")}'; cat /dev/zero > '${filler}'; fi; true`;
      project.write("fill", "");
      expectFull(await project.wf([...RUN, "-p", `script=cat "$1" > "$2"; ${fill}`]));
      expectFull(await project.wf(["resume", "--json"]));
      rmSync(filler);
      const resumed = await project.wf(["resume", "--json"]);
      expect(resumed.exitCode, resumed.stderr).toBe(0);
      expect(readFileSync(finishOf(resumed)?.outputs.text.path, "utf8")).toBe("first\n");
      expect(project.ask("SELECT count(*) FROM attempt WHERE task = 'first'")).toBe(1);
    });
    skip(!isDone, REASON);
  });

  it("before anything runs", async ({ skip }) => {
    const isDone = await smallDisk(async (project) => {
      fillUp(project.path("filler"));
      expectFull(await project.wf(RUN));
      rmSync(project.path("filler"));
      const outcome = await project.wf(RUN);
      expect(outcome.exitCode, outcome.stderr).toBe(0);
    });
    skip(!isDone, REASON);
  });
});

/** Leaves no room, not for one more page. */
function fillUp(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
  } finally {
    closeSync(file);
  }
}
