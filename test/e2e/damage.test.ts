/** Content of the store that is not what it was: nothing is built on it, it is made again, and it is named. */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endOf, finishOf, makeProject, type Outcome, type Project } from "./wf-project.ts";

const WORKFLOW = `
import { file, task, workflow } from "wf";
const make = task({
  name: "make",
  outputs: { text: file() },
  command: ({ outputs }) => ["sh", "-c", 'echo made > "$1"', "sh", outputs.text],
});
const use = task({
  name: "use",
  inputs: { text: file(), given: file() },
  outputs: { text: file() },
  command: ({ inputs, outputs }) => ["sh", "-c", 'cat "$1" "$2" > "$3"', "sh", inputs.text, inputs.given, outputs.text],
});
export default workflow({
  name: "two",
  inputs: { given: file({ path: "given" }) },
  build: ({ inputs }) => use({ text: make({}).text, given: inputs.given }),
});
`;

const RUN = ["run", "two.ts", "--json"];
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");
const objectOf = (project: Project, hash: string) => project.path(".wf", "objects", hash.slice(0, 2), hash);
const text = (outcome: Outcome) => readFileSync(finishOf(outcome)?.outputs.text.path, "utf8");

const flip = (path: string) => {
  const bytes = readFileSync(path);
  bytes[0] = (bytes[0] as number) ^ 1;
  chmodSync(path, 0o644);
  writeFileSync(path, bytes);
};
const cut = (path: string) => {
  chmodSync(path, 0o644);
  truncateSync(path, 0);
};

async function ranOnce(): Promise<Project> {
  const project = makeProject({ "two.ts": WORKFLOW, given: "given\n" });
  expect(text(await project.wf(RUN))).toBe("made\ngiven\n");
  return project;
}

describe.concurrent("an object of the store in which", () => {
  const all = [
    { how: "a byte was flipped", damage: flip, what: "an output", content: "made\n" },
    { how: "a byte was flipped", damage: flip, what: "an input", content: "given\n" },
    { how: "nothing is left", damage: cut, what: "the result", content: "made\ngiven\n" },
  ];

  it.for(all)("$how, $what: is not reused, is made again, and is named", async ({ damage, content }) => {
    const project = await ranOnce();
    const hash = hashOf(content);
    damage(objectOf(project, hash));
    const outcome = await project.wf(RUN);
    expect(text(outcome), outcome.stdout + outcome.stderr).toBe("made\ngiven\n");
    expect(readFileSync(objectOf(project, hash), "utf8")).toBe(content);
    expect(outcome.stdout).toContain(hash);
    expect(existsSync(project.path(".wf", "quarantine", hash))).toBe(true);
    expect(endOf(await project.wf(RUN), "use")?.state).toBe("cached");
  });

  it("a byte was flipped is replaced without the cache, too", async () => {
    const project = await ranOnce();
    flip(objectOf(project, hashOf("made\n")));
    const outcome = await project.wf([...RUN, "--no-cache"]);
    expect(text(outcome), outcome.stdout + outcome.stderr).toBe("made\ngiven\n");
    expect(outcome.stdout).toContain(hashOf("made\n"));
    expect(readFileSync(objectOf(project, hashOf("made\n")), "utf8")).toBe("made\n");
  });

  it("a byte was flipped is found by wf verify and by wf doctor, which say what runs again", async () => {
    const project = await ranOnce();
    const sound = await project.wf(["verify"]);
    expect(sound, sound.stderr).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/✓ sound {2}\d+ objects, 2 records/),
    });
    const [run] = project.runs();
    for (const content of ["made\n", "given\n"]) flip(objectOf(project, hashOf(content)));
    writeFileSync(project.path(".wf", "runs", run as string, "records", "use@1.json"), "{");
    expect((await project.wf(["doctor"])).stdout).toMatch(/2 objects of the newest damaged[\s\S]*wf verify --all/);
    const found = await project.wf(["verify", "--all"]);
    expect(found.exitCode).toBe(1);
    expect(found.stdout).toContain(`object ${hashOf("made\n")} is damaged\n    runs again: make of ${run}`);
    expect(found.stdout).toContain(`object ${hashOf("given\n")} is damaged\n    is read again: input given of ${run}`);
    expect(found.stdout).toContain(`the record ${run}/use@1.json cannot be read`);
    expect(await project.wf(["verify", "--all"])).toMatchObject({ exitCode: 0 });
    expect(text(await project.wf(RUN))).toBe("made\ngiven\n");
  });
});
