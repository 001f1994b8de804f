/** `wf gc` beside runs that start, run and were killed: it takes nothing that they need. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { until } from "@wf/testing";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { expectError, finishOf, makeProject, type Outcome, type Project } from "./wf-project.ts";

const WORKFLOW = `
import { directory, file, task, workflow, z } from "wf";
const copy = task({
  name: "copy",
  inputs: { given: directory() },
  params: z.object({ text: z.string(), script: z.string() }),
  outputs: { text: file() },
  command: ({ inputs, outputs, params }) =>
    ["sh", "-c", 'cat "$1"/* > "$2"; echo "$3" >> "$2"; ' + params.script, "sh", inputs.given, outputs.text, params.text],
});
const again = task({
  name: "again",
  inputs: { text: file() },
  outputs: { text: file() },
  command: ({ inputs, outputs }) => ["cp", inputs.text, outputs.text],
});
export default workflow({
  name: "copies",
  params: z.object({ text: z.string().default("text"), script: z.string().default("true") }),
  inputs: { given: directory({ path: "given" }) },
  build: ({ inputs, params }) => again({ text: copy({ given: inputs.given }, params).text }),
});
`;

const project = () => makeProject({ "copies.ts": WORKFLOW, "given/a": "a\n", "given/b": "b\n" });
const run = (...words: string[]) => ["run", "copies.ts", "--json", ...words];
const text = (outcome: Outcome) => readFileSync(finishOf(outcome)?.outputs.text.path, "utf8");

/** Again and again, until it is over. */
async function gcUntil(here: Project, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const outcome = await here.wf(["gc", "--json"]);
    if (outcome.exitCode === 0) continue;
    expectError(outcome, "WF_RUN_OWNED", { says: /nothing was removed/, next: /wf status|try again/ });
  }
}

describe.concurrent("wf gc beside runs", () => {
  it("in a loop takes nothing from runs that start and run meanwhile", async () => {
    const here = project();
    await here.wf(run());
    let isOver = false;
    const removed = gcUntil(here, () => isOver);
    const runsOf = async (lane: string) => {
      for (const number of [1, 2, 3]) {
        const outcome = await here.wf(run("-p", `text=${lane}${number}`));
        expect(finishOf(outcome)?.status, outcome.stdout + outcome.stderr).toBe("succeeded");
        expect(text(outcome)).toBe(`a\nb\n${lane}${number}\n`);
      }
    };
    const ran = Promise.all([runsOf("x"), runsOf("y")]).finally(() => {
      isOver = true;
    });
    await Promise.all([ran, removed]);
    expect(here.ask("SELECT count(*) FROM run WHERE status = 'succeeded'")).toBe(7);
    for (const name of here.runs()) expect(existsSync(here.path(".wf", "runs", name, "records"))).toBe(true);
  });

  it("is waited for by a run that starts, with a word", async () => {
    const here = project();
    mkdirSync(here.path(".wf"));
    const lock = new Database(here.path(".wf", "content.lock"));
    lock.exec("BEGIN EXCLUSIVE");
    const started = here.start(run());
    await until("the word", () => started.stdout().includes("waiting for wf gc"), { lastSeen: started.stdout });
    expect(here.ask("SELECT count(*) FROM run")).toBe(0);
    lock.close();
    expect(text(await started.ended)).toBe("a\nb\ntext\n");
  });

  it("leaves a run alone whose engine was killed, until its tasks have ended", async () => {
    const here = project();
    const go = here.path("go");
    const words = run("-p", `script=until [ -e '${go}' ]; do sleep 0.1; done`);
    const { child, ended } = here.start(words);
    await until("the start", () => here.ask("SELECT 1 FROM attempt WHERE started IS NOT NULL"));
    expectError(await here.wf(["gc", "--json"]), "WF_RUN_OWNED", { says: /still runs/, next: /wf status/ });
    child.kill("SIGKILL");
    await ended;
    const gc = ["gc", "--older-than", "0s", "--json"];
    expectError(await here.wf(gc), "WF_RUN_OWNED", { says: /tasks of one that was killed/, next: /try again/ });
    here.write("go", "");
    await until("the end of what runs", async () => (await here.wf(["gc", "--json"])).exitCode === 0);
    const resumed = await here.wf(["resume", "--json"]);
    expect(text(resumed)).toBe("a\nb\ntext\n");
    expect(here.ask("SELECT count(*) FROM attempt WHERE task = 'copy'")).toBe(1);
  });
});
