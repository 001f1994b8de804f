/**
 * A power cut: the file system lies in a file, which is copied while it is mounted. The copy holds what was on disk at
 * that moment, and nothing that only memory had; it is mounted and looked at.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { finishOf, makeProject, Project } from "./wf-project.ts";

const WORKFLOW = `
import { directory, file, task, workflow, z } from "wf";
const part = task({
  name: "part",
  inputs: { given: directory() },
  params: z.object({ part: z.number() }),
  outputs: { text: file(), folder: directory() },
  command: ({ inputs, outputs, params }) =>
    ["sh", "-c", 'cat "$1"/* > "$2"; echo "$4" >> "$2"; seq 20000 > "$3/numbers"; echo "$4" > "$3/part"', "sh", inputs.given, outputs.text, outputs.folder, String(params.part)],
});
const last = task({
  name: "last",
  inputs: { one: file(), two: file(), folder: directory() },
  params: z.object({ go: z.string() }),
  outputs: { text: file() },
  command: ({ inputs, outputs, params }) =>
    ["sh", "-c", 'until [ -e "$5" ]; do sleep 0.1; done; cat "$1" "$2" "$3"/* > "$4"', "sh", inputs.one, inputs.two, inputs.folder, outputs.text, params.go],
});
export default workflow({
  name: "parts",
  params: z.object({ go: z.string() }),
  inputs: { given: directory({ path: "given" }) },
  build({ inputs, params }) {
    const one = part({ given: inputs.given }, { part: 1 });
    const two = part({ given: inputs.given }, { part: 2 });
    return { text: last({ one: one.text, two: two.text, folder: two.folder }, params).text, folder: one.folder };
  },
});
`;
const FILES = { "parts.ts": WORKFLOW, "given/a": "a\n", "given/b": "b\n" };
const REASON = "SKIPPED: a file system in a file can only be made and mounted by root, with mkfs.ext4";
const NUMBERS = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join("");
const TEXT = `a\nb\n1\na\nb\n2\n${NUMBERS}2\n`;

/** A folder on a disk of its own, which can lose its power. */
class Disk {
  readonly folder: string;
  readonly #image: string;
  readonly #mounted: string[] = [];

  constructor() {
    ({ folder: this.folder } = makeProject({}));
    this.#image = join(this.folder, "image");
  }

  make(): boolean {
    const isRoot = process.platform === "linux" && process.getuid?.() === 0;
    if (!isRoot) return false;
    writeFileSync(this.#image, "");
    truncateSync(this.#image, 64 << 20);
    const made = spawnSync("mkfs.ext4", ["-q", "-F", this.#image]);
    return made.status === 0 && this.#mount(this.#image, this.#path("disk"));
  }

  get project(): Project {
    return new Project(this.#path("disk"), {});
  }

  /** The disk as it would be found after a power cut at this moment. */
  cutPower(name: string): Project {
    copyFileSync(this.#image, join(this.folder, `${name}.image`));
    expect(this.#mount(join(this.folder, `${name}.image`), this.#path(name))).toBe(true);
    return new Project(this.#path(name), {});
  }

  unmount(): void {
    for (const folder of this.#mounted) spawnSync("umount", ["-l", folder]);
  }

  #path(name: string): string {
    return join(this.folder, name);
  }

  #mount(image: string, folder: string): boolean {
    mkdirSync(folder);
    if (spawnSync("mount", ["-o", "loop", image, folder]).status !== 0) return false;
    this.#mounted.push(folder);
    return true;
  }
}

async function expectSound(project: Project): Promise<void> {
  const verified = await project.wf(["verify", "--all", "--json"]);
  expect(verified.exitCode, verified.stdout + verified.stderr).toBe(0);
  expect(JSON.parse(verified.stdout)).toMatchObject({
    database: [],
    objects: { damaged: [] },
    records: { damaged: [] },
  });
}

describe.concurrent("a power cut", () => {
  const withDisk = async (skip: (isSkipped: boolean, why: string) => void, work: (disk: Disk) => Promise<void>) => {
    const disk = new Disk();
    try {
      skip(!disk.make(), REASON);
      for (const [path, text] of Object.entries(FILES)) disk.project.write(path, text);
      spawnSync("sync", ["-f", disk.project.folder]);
      await work(disk);
    } finally {
      disk.unmount();
    }
  };

  it("right after `succeeded` takes nothing of the run", ({ skip }) =>
    withDisk(skip, async (disk) => {
      const { project } = disk;
      const run = ["run", "parts.ts", "--json", "-p", `go=${project.path("parts.ts")}`, "-o", "results"];
      const outcome = await project.wf(run);
      expect(finishOf(outcome)?.status, outcome.stderr).toBe("succeeded");
      const found = disk.cutPower("after");
      expect(found.read("results", "text")).toBe(TEXT);
      expect(found.read("results", "folder", "numbers")).toBe(NUMBERS);
      const db = new Database(found.path(".wf", "wf.db"));
      expect(db.prepare("SELECT status FROM run").pluck().get()).toBe("succeeded");
      expect(db.prepare("SELECT count(*) FROM task WHERE state = 'done'").pluck().get()).toBe(3);
      db.close();
      const [name] = found.runs() as [string];
      for (const task of ["part", "part-2", "last"]) {
        expect(JSON.parse(found.read(".wf", "runs", name, "records", `${task}@1.json`)).state).toBe("succeeded");
      }
      await expectSound(found);
    }));

  it("in the middle of a run leaves what leads to the same outputs", ({ skip }) =>
    withDisk(skip, async (disk) => {
      const { project } = disk;
      const go = join(disk.folder, "go");
      const { ended } = project.start(["run", "parts.ts", "--json", "-p", `go=${go}`]);
      const started = "SELECT 1 FROM attempt WHERE task = 'last' AND started IS NOT NULL";
      await until("the start of the last task", () => project.ask(started));
      const early = disk.cutPower("early");
      spawnSync("sync", ["-f", project.folder]);
      const late = disk.cutPower("late");
      writeFileSync(go, "");
      await ended;
      for (const found of [early, late]) {
        const isKnown = existsSync(found.path(".wf", "wf.db")) && found.ask("SELECT 1 FROM run") === 1;
        const words = isKnown ? ["resume"] : ["run", "parts.ts", "-p", `go=${go}`];
        const outcome = await found.wf([...words, "--json"]);
        expect(finishOf(outcome)?.status, outcome.stdout + outcome.stderr).toBe("succeeded");
        expect(readFileSync(finishOf(outcome)?.outputs.text.path, "utf8")).toBe(TEXT);
        await expectSound(found);
      }
    }));
});
