/** A disk that fills up at any step of a run: afterwards there is room again, and the run comes to the same end. */
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject, type Outcome, Project } from "./wf-project.ts";

const REASON = "SKIPPED: a small file system can only be mounted by root";
const PAGE_BYTES = 4096;

/**
 * Where a file `fill-STEP` lies, the task STEP leaves so many pages free as it says, once: the disk is full from there
 * on. `fails` leaves a sandbox and what is needed to repeat it.
 */
const WORKFLOW = (disk: string) => `
import { directory, file, task, workflow, z } from "wf";
const FILL = 'if [ -e "$0/fill-$1" ]; then pages=$(cat "$0/fill-$1"); rm "$0/fill-$1"; head -c $((pages * 4096)) /dev/zero > "$0/room"; cat /dev/zero > "$0/filler" 2> /dev/null; rm "$0/room"; fi; ';
const step = (name: string, rest: string, ...words: string[]) => ["sh", "-c", FILL + rest, ${JSON.stringify(disk)}, name, ...words];
const first = task({
  name: "first",
  inputs: { given: directory() },
  outputs: { text: file() },
  command: ({ inputs, outputs }) => step("first", 'cat "$2"/* > "$3"', inputs.given, outputs.text),
});
const part = task({
  name: "part",
  inputs: { text: file() },
  params: z.object({ part: z.number() }),
  outputs: { text: file(), folder: directory() },
  command: ({ inputs, outputs, params }) =>
    step(\`part-\${params.part}\`, 'cat "$2" > "$3"; echo "$5" >> "$3"; echo "$5" > "$4/one"', inputs.text, outputs.text, outputs.folder, String(params.part)),
});
const fails = task({
  name: "fails",
  inputs: { text: file() },
  outputs: { text: file() },
  command: ({ inputs, outputs }) => step("fails", 'if [ -e "$0/fail" ]; then rm "$0/fail"; exit 3; fi; cat "$2" > "$3"', inputs.text, outputs.text),
});
export default workflow({
  name: "steps",
  inputs: { given: directory({ path: "given" }) },
  build({ inputs }) {
    const { text } = first({ given: inputs.given });
    const one = part({ text }, { part: 1 });
    const two = part({ text: one.text }, { part: 2 });
    return { text: fails({ text: two.text }).text, folder: two.folder, one: one.text };
  },
});
`;

const FILES = { "given/a": "a\n", "given/b": "b\n" };
const EXPECTED = { text: "a\nb\n1\n2\n", "folder/one": "2\n", one: "a\nb\n1\n" };

async function onSmallDisk(work: (project: Project) => Promise<void>): Promise<boolean> {
  const { folder } = makeProject({});
  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  if (!isRoot || spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]).status !== 0) return false;
  try {
    await work(new Project(folder, { "steps.ts": WORKFLOW(folder), ...FILES }));
  } finally {
    spawnSync("umount", ["-l", folder]);
  }
  return true;
}

/** Leaves so many pages free. */
function fillUp(project: Project, pages: number): void {
  writeFileSync(project.path("room"), Buffer.alloc(pages * PAGE_BYTES));
  const file = openSync(project.path("filler"), "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(PAGE_BYTES));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
  } finally {
    closeSync(file);
    rmSync(project.path("room"));
  }
}

/** Law: whatever fails for want of room says so, or is a task that failed; nothing is a bug of ours. */
function expectClearEnd(outcome: Outcome): void {
  const said = `${outcome.stdout}\n${outcome.stderr}`;
  expect(outcome.exitCode, said).not.toBeNull();
  expect(said).not.toMatch(/WF_INTERNAL|no tasks/);
}

/** The failure of a task that had its record is told once more before it is tried again. */
async function untilSucceeded(project: Project): Promise<void> {
  const words = () => (project.ask("SELECT 1 FROM runs") === 1 ? ["resume"] : ["run", "steps.ts"]);
  for (let tries = 0; ; tries += 1) {
    const outcome = await project.wf(words());
    expectClearEnd(outcome);
    if (hasSucceeded(project)) return;
    expect(tries, outcome.stderr).toBeLessThan(2);
  }
}

function hasSucceeded(project: Project): boolean {
  return project.ask("SELECT status FROM runs") === "succeeded";
}

function outputsOf(project: Project): Record<string, string> {
  const folder = project.path(".wf", "runs", project.runs()[0] as string, "outputs");
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(folder.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

describe.concurrent("a disk that is full from a step of the run on", () => {
  it.for([
    ["before it", 0],
    ["before it", 9],
    ["first", 0],
    ["part-1", 5],
    ["part-2", 2],
    ["fails", 2],
  ] as const)(
    "(%s, %i pages left) says so, and the run resumes to the same outputs",
    async ([step, pages], { skip }) => {
      const isDone = await onSmallDisk(async (project) => {
        if (step === "before it") fillUp(project, pages);
        else project.write(`fill-${step}`, String(pages));
        if (step === "fails") project.write("fail", "");
        expectClearEnd(await project.wf(["run", "steps.ts"]));
        rmSync(project.path("filler"), { force: true });
        if (!hasSucceeded(project)) await untilSucceeded(project);
        expect(outputsOf(project)).toEqual(EXPECTED);
      });
      skip(!isDone, REASON);
    },
  );
});
