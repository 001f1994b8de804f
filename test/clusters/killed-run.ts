/** Law: a kill at any moment, then `wf resume`, ends with the outputs of an undisturbed run, and starts nothing twice. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@wf/testing";
import { expect } from "vitest";
import { dice } from "../dice.ts";
import { makeProject, type Project, type Started } from "../e2e/wf-project.ts";
import { openFolder } from "./open-folder.ts";

const ITEMS = 3;
/** Each of them needs an engine that submits it. */
const STAGES = 5;
const FEWEST_KILLS = 4;
const MOST_KILLS = 6;

/** Every task says in a ledger that it begins. */
const FLOW = `
import { each, file, many, task, workflow, z } from "wf";

const begin = 'echo "$1" >> "$2"; sleep 0.2; ';
const work = task({
  name: "work",
  params: z.object({ ledger: z.string(), item: z.number() }),
  outputs: { text: file("txt") },
  command: ({ params, outputs }) => ["sh", "-c", begin + 'echo "work $3" > "$4"', "sh", \`work-\${params.item}\`, params.ledger, params.item, outputs.text],
});
const again = task({
  name: "again",
  inputs: { text: file("txt") },
  params: z.object({ ledger: z.string(), item: z.number(), stage: z.number() }),
  outputs: { text: file("txt") },
  command: ({ params, inputs, outputs }) => ["sh", "-c", begin + 'sed "s/$/ again/" "$3" > "$4"', "sh", \`again-\${params.item}-\${params.stage}\`, params.ledger, inputs.text, outputs.text],
});
const gather = task({
  name: "gather",
  inputs: { all: many(file("txt")) },
  params: z.object({ ledger: z.string() }),
  outputs: { all: file("txt") },
  command: ({ params, inputs, outputs }) => ["sh", "-c", begin + 'o=$3; shift 3; cat "$@" > "$o"', "sh", "gather", params.ledger, outputs.all, inputs.all],
});

export default workflow({
  name: "killed",
  params: z.object({ ledger: z.string() }),
  build({ params: { ledger } }) {
    const items = Array.from({ length: ${ITEMS} }, (_, i) => i + 1);
    const stages = Array.from({ length: ${STAGES} }, (_, i) => i + 1);
    const texts = each(items).map((item) =>
      stages.reduce((before, stage) => again({ text: before.text }, { ledger, item, stage }), work({}, { ledger, item })),
    );
    return { all: gather({ all: texts.text }, { ledger }).all };
  },
});
`;

/** Kills it a moment after so many more events are in the store. False if it ended before. */
async function killLater(
  project: Project,
  { child, ended }: Started,
  events: number,
  pauseMs: number,
): Promise<boolean> {
  const count = () => project.ask<number>("SELECT count(*) FROM events") ?? 0;
  const goal = count() + events;
  await until(`event ${goal}, or the end`, () => child.exitCode !== null || count() >= goal, { lastSeen: count });
  await Promise.race([sleep(pauseMs), ended]);
  child.kill("SIGKILL");
  await ended;
  return child.signalCode === "SIGKILL";
}

/**
 * Runs a workflow on a site, kills wf at moments that the seed decides, and resumes it each time.
 * `shared` is a folder that tests and tasks both see.
 */
export async function expectRightEndOfKilledRun(seed: number, shared: string, site: object): Promise<void> {
  const ledger = join(openFolder(shared, "ledger-"), "ledger");
  const project = makeProject({ "flow.ts": FLOW, "sites.yaml": JSON.stringify({ sites: { cluster: site } }) });
  const roll = dice(seed);
  let running = project.start(["run", "flow.ts", "--site", "cluster", "--json", "-p", `ledger=${ledger}`]);
  const status = () => project.ask<string>("SELECT status FROM run");
  let kills = 0;
  while (kills < MOST_KILLS && (await killLater(project, running, 1 + roll(12), roll(400)))) {
    kills++;
    if (status() === "succeeded") break;
    running = project.start(["resume", "last", "--json"]);
  }
  const { stdout, stderr } = await running.ended;
  expect(status(), stdout + stderr).toBe("succeeded");
  expect(kills).toBeGreaterThanOrEqual(FEWEST_KILLS);

  const [run = ""] = project.runs();
  const items = Array.from({ length: ITEMS }, (_, i) => i + 1);
  const stages = Array.from({ length: STAGES }, (_, i) => i + 1);
  const lines = items.map((item) => `work ${item}${" again".repeat(STAGES)}\n`);
  expect(project.read(".wf", "runs", run, "outputs", "all.txt")).toBe(lines.join(""));
  const begun = existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n").sort() : [];
  const named = items.flatMap((item) => [`work-${item}`, ...stages.map((stage) => `again-${item}-${stage}`)]);
  expect(begun).toEqual(["gather", ...named].sort());
  expect(project.ask("SELECT count(*) FROM attempt")).toBe(begun.length);
}
