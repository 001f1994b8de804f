/** A run whose output nobody reads any more stops as at a hang-up: nothing is lost, and its exit code says so. */
import { writeFileSync } from "node:fs";
import { until } from "@wf/testing";
import { expect, it } from "vitest";
import { finishOf, makeProject } from "./wf-project.ts";

const CHAIN = `
import { file, task, workflow, z } from "wf";

const params = z.object({ folder: z.string() });
const waitsFor = (name: string) => \`while [ -d "$1" ] && [ ! -e "$1/\${name}" ]; do sleep 0.02; done; \`;

/** Its end is the next thing to tell, while the first of the chain still runs. */
const other = task({
  name: "other",
  params,
  command: ({ params }) => ["sh", "-c", waitsFor("reader-is-gone"), "sh", params.folder],
});
const first = task({
  name: "first",
  params,
  outputs: { text: file() },
  command: ({ params, outputs }) => ["sh", "-c", waitsFor("go") + 'sleep 1; echo done > "$2"', "sh", params.folder, outputs.text],
});
const second = task({
  name: "second",
  inputs: { text: file() },
  outputs: { text: file() },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});

export default workflow({
  name: "chain",
  params,
  build({ params }) {
    const { text } = first({}, params);
    other({}, params);
    return { text: second({ text }).text };
  },
});
`;

it("a run that has lost its reader lets what runs finish, starts nothing more, and can be resumed", async () => {
  const project = makeProject({ "chain.ts": CHAIN });
  const { child, ended } = project.start(["run", "chain.ts", "--json", "-p", `folder=${project.folder}`]);
  let seen = "";
  for await (const text of child.stdout as NodeJS.ReadableStream) {
    seen += text;
    if (seen.split("attempt.started").length > 2) break;
  }
  child.stdout?.destroy();
  writeFileSync(project.path("reader-is-gone"), "");
  await until("the end of the other", () => project.ask("SELECT state FROM task WHERE task = 'other'") === "done");
  writeFileSync(project.path("go"), "");
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
