/** A task with python(): its modules are found, and what it prints is there while it runs. */
import { expect, it } from "vitest";
import { finishOf, makeProject } from "./wf-project.ts";

const FLOW = `
import { json, python, task, workflow, z } from "wf";

const look = task({
  name: "look",
  runtime: python("./model"),
  outputs: { seen: json(z.object({ file: z.string(), unbuffered: z.boolean() })) },
  command: ({ outputs }) => ["python", "-m", "look", outputs.seen],
});

export default workflow({ name: "flow", build: () => ({ seen: look({}).seen }) });
`;
const LOOK = `
import json, sys
import beside

with open(sys.argv[1], "w") as out:
    json.dump({"file": beside.__file__, "unbuffered": sys.stdout.write_through}, out)
`;

it("finds the modules of its project, and prints without a buffer", async () => {
  const project = makeProject({ "flow.ts": FLOW, "model/look.py": LOOK, "model/beside.py": "" });
  const outcome = await project.wf(["run", "flow.ts", "--json", "--outputs", "results"]);
  expect(finishOf(outcome), outcome.stderr).toMatchObject({ status: "succeeded" });
  expect(JSON.parse(project.read("results", "seen.json"))).toEqual({
    file: expect.stringMatching(/\/sandbox\/code\/project\/beside\.py$/),
    unbuffered: true,
  });
});
