/** A run whose output nobody reads any more stops as at a hang-up: nothing is lost, and its exit code says so. */
import { expect, it } from "vitest";
import { finishOf, makeProject } from "./wf-project.ts";

const CHAIN = `
import { file, task, workflow } from "wf";

/** Its end is the next thing to tell, while the first of the chain still runs. */
const other = task({ name: "other", command: () => ["sleep", "0.2"] });
const first = task({
  name: "first",
  outputs: { text: file() },
  command: ({ outputs }) => ["sh", "-c", 'sleep 1; echo done > "$1"', "sh", outputs.text],
});
const second = task({
  name: "second",
  inputs: { text: file() },
  outputs: { text: file() },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});

export default workflow({
  name: "chain",
  build() {
    const { text } = first({});
    other({});
    return { text: second({ text }).text };
  },
});
`;

it("a run that has lost its reader lets what runs finish, starts nothing more, and can be resumed", async () => {
  const project = makeProject({ "chain.ts": CHAIN });
  const { child, ended } = project.start(["run", "chain.ts", "--json"]);
  let seen = "";
  for await (const text of child.stdout as NodeJS.ReadableStream) {
    seen += text;
    if (seen.split("attempt.started").length > 2) break;
  }
  child.stdout?.destroy();
  const { exitCode, stderr } = await ended;
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: expect.stringContaining("wf resume") });
  expect(project.ask("SELECT status FROM run")).toBe("stopped");
  expect(project.ask("SELECT group_concat(task || ' ' || state) FROM (SELECT * FROM task ORDER BY task)")).toBe(
    "first done,other done",
  );

  const resumed = await project.wf(["resume", "--json"]);
  expect(finishOf(resumed)).toMatchObject({ status: "succeeded" });
  expect(project.ask("SELECT count(*) FROM attempt WHERE task = 'first'")).toBe(1);
  expect((await project.wf(["resume"])).stderr).toContain("has already succeeded");
});
