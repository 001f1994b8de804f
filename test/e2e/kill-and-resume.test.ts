/**
 * Law: a kill at any moment, then `wf resume`, ends with the same outputs as an undisturbed run, adopts what still
 * runs, and runs no task again that had its record. The tasks themselves keep an append-only ledger.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@wf/testing";
import Database from "better-sqlite3";
import { afterAll, describe, expect, it } from "vitest";
import { dice } from "../dice.ts";
import { WF_MAIN } from "./wf-program.ts";

const KILLS_PER_LANE = 100;
/** It kills two hundred times: the one limit that is longer than that of its kind. */
const HOURS_MS = 2 * 3_600_000;
const LANES = 2;
const ITEMS = 12;

const WORKFLOW = `
import { atLeast, each, file, json, many, repeat, task, workflow, z } from "wf";

const script = 'echo "start $1 $WF_ATTEMPT" >> "$2"; sleep "0.0$(( $(printf %s "$1" | cksum | cut -c1-2) % 6 + 2 ))"';
const list = task({
  name: "list",
  params: z.object({ ledger: z.string(), n: z.number() }),
  outputs: { items: json(z.array(z.number())) },
  command: ({ params, outputs }) => ["sh", "-c", script + '; seq -s, 1 "$3" | sed "s/^/[/; s/,*$/]/" > "$4"; echo "end $1" >> "$2"', "sh", "list", params.ledger, params.n, outputs.items],
});
const work = task({
  name: "work",
  params: z.object({ ledger: z.string(), item: z.number() }),
  outputs: { text: file("txt") },
  command: ({ params, outputs }) => ["sh", "-c", script + '; echo "work $3" > "$4"; echo "end $1" >> "$2"', "sh", \`work-\${params.item}\`, params.ledger, params.item, outputs.text],
});
const again = task({
  name: "again",
  inputs: { text: file("txt") },
  params: z.object({ ledger: z.string(), item: z.number() }),
  outputs: { text: file("txt") },
  command: ({ params, inputs, outputs }) => ["sh", "-c", script + '; sed "s/work/again/" "$3" > "$4"; echo "end $1" >> "$2"', "sh", \`again-\${params.item}\`, params.ledger, inputs.text, outputs.text],
});
const gather = task({
  name: "gather",
  inputs: { all: many(file("txt")) },
  params: z.object({ ledger: z.string() }),
  outputs: { all: file("txt") },
  command: ({ params, inputs, outputs }) => ["sh", "-c", script + '; l=$2; o=$3; shift 3; cat "$@" > "$o"; echo "end gather" >> "$l"', "sh", "gather", params.ledger, outputs.all, inputs.all],
});
const improve = task({
  name: "improve",
  params: z.object({ ledger: z.string(), round: z.number() }),
  metrics: ["score"],
  command: ({ params }) => ["sh", "-c", script + '; echo "{\\\\"score\\\\": $3}" >> "$WF_METRICS"; echo "end $1" >> "$2"', "sh", \`improve-\${params.round}\`, params.ledger, params.round],
});
export default workflow({
  name: "killed",
  params: z.object({ ledger: z.string(), n: z.number() }),
  build({ params }) {
    const { ledger } = params;
    const { items } = list({}, { ledger, n: params.n });
    const texts = items.items().map((item) => again({ text: work({}, { ledger, item }).text }, { ledger, item }));
    const best = repeat({}, (_state, round) => ({ score: improve({}, { ledger, round }).metrics.score }), {
      atMost: 5,
      until: ({ score }) => atLeast(score, 2),
    });
    return { all: gather({ all: texts.text }, { ledger }).all, score: best.score };
  },
});
`;

const folder = mkdtempSync(join(tmpdir(), "wf-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Lane {
  readonly project: string;
  readonly ledger: string;
  start(args: readonly string[]): ChildProcess;
}

function lane(name: string): Lane {
  const project = join(folder, name);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "workflow.ts"), WORKFLOW);
  writeFileSync(join(project, "sites.yaml"), "sites: { local: { resources: { cpus: 3 } } }\n");
  return {
    project,
    ledger: join(project, "ledger.txt"),
    start: (args) =>
      spawn(process.execPath, [WF_MAIN, ...args], { cwd: project, stdio: ["ignore", "ignore", "inherit"] }),
  };
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once("exit", (code) => resolve(code));
  });

/** Lets `wf` go on until the store has `events` more events, then kills it. False if it ended before. */
async function killAfterEvents({ project }: Lane, child: ChildProcess, events: number): Promise<boolean> {
  const file = join(project, ".wf", "wf.db");
  let db: Database.Database | undefined;
  let first: number | undefined;
  try {
    await until(`${events} more events, or the end`, () => {
      db ??= existsSync(file) ? openForReading(file) : undefined;
      const count = db ? countEvents(db) : undefined;
      first ??= count;
      return child.exitCode !== null || (count !== undefined && first !== undefined && count - first >= events);
    });
    if (child.exitCode !== null) return false;
    child.kill("SIGKILL");
    await ended(child);
    return child.signalCode === "SIGKILL";
  } finally {
    db?.close();
  }
}

function openForReading(file: string): Database.Database | undefined {
  try {
    return new Database(file, { readonly: true, fileMustExist: true });
  } catch {
    return undefined;
  }
}

function countEvents(db: Database.Database): number | undefined {
  try {
    return db.prepare<[], number>("SELECT count(*) FROM events").pluck().get();
  } catch {
    return undefined;
  }
}

function ledgerLines({ ledger }: Lane): string[] {
  return existsSync(ledger) ? readFileSync(ledger, "utf8").trim().split("\n") : [];
}

function isRunning(lines: readonly string[]): boolean {
  return (
    lines.filter((line) => line.startsWith("start")).length > lines.filter((line) => line.startsWith("end")).length
  );
}

describe("kill -9 at random store events", () => {
  const expected = Array.from({ length: ITEMS }, (_, i) => `again ${i + 1}\n`).join("");

  it.concurrent.each(Array.from({ length: LANES }, (_, i) => i))("lane %i", { timeout: HOURS_MS }, async (number) => {
    const roll = dice(number + 7);
    let kills = 0;
    let killsWhileRunning = 0;
    for (let round = 0; kills < KILLS_PER_LANE; round++) {
      const here = lane(`lane-${number}-${round}`);
      let child = here.start(["run", "workflow.ts", "-p", `ledger=${here.ledger}`, "-p", `n=${ITEMS}`, "--no-cache"]);
      while (await killAfterEvents(here, child, 1 + roll(12))) {
        kills++;
        if (isRunning(ledgerLines(here))) killsWhileRunning++;
        child = here.start(["resume", "last"]);
        if (kills >= KILLS_PER_LANE) break;
      }
      expect(await ended(child)).toBe(0);

      const [run] = readdirSync(join(here.project, ".wf", "runs"));
      const outputs = join(here.project, ".wf", "runs", run as string, "outputs");
      expect(readFileSync(join(outputs, "all.txt"), "utf8")).toBe(expected);

      const starts = ledgerLines(here).filter((line) => line.startsWith("start"));
      const tasks = starts.map((line) => line.split(" ")[1]);
      expect(new Set(tasks).size).toBe(2 + 2 * ITEMS + 3);
      expect(starts.filter((_, i) => tasks.indexOf(tasks[i]) !== i)).toEqual([]);
      const db = new Database(join(here.project, ".wf", "wf.db"), { readonly: true });
      const published = db
        .prepare("SELECT task_id FROM attempts WHERE state = 'succeeded' GROUP BY task_id HAVING count(*) > 1")
        .all();
      db.close();
      expect(published).toEqual([]);
    }
    expect(killsWhileRunning).toBeGreaterThan(KILLS_PER_LANE / 5);
  });
});
