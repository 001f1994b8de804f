/** The demo workflow, small, through the built program: what it promises in the README has to be true. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { WF_MAIN } from "./wf-program.ts";

const DEMO = fileURLToPath(new URL("../../workflows/sky-survey.ts", import.meta.url));
const SMALL = ["tiles=4", "size=96", "seed=4", "bright=3", "purity=1"];
const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

const folder = mkdtempSync(join(tmpdir(), "wf-demo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Event {
  readonly type: string;
  readonly stage?: string;
  readonly state?: string;
}

interface Finished {
  readonly type: "run.finished";
  readonly run: string;
  readonly status: string;
  readonly outputs: Readonly<Record<string, { readonly kind: string; readonly path: string }>>;
  readonly metrics: Readonly<Record<string, number>>;
  readonly seconds: number;
}

async function wf(...args: string[]): Promise<string> {
  const env = { ...process.env, WF_STORE: join(folder, "store") };
  return (await promisify(execFile)(process.execPath, [WF_MAIN, ...args], { env, maxBuffer: 64e6 })).stdout;
}

/** Runs the demo and says which stages had to work, and how the run ended. */
async function runDemo(...params: string[]): Promise<{ ran: string[]; cached: string[]; last: Finished }> {
  const options = [...SMALL, ...params].flatMap((param) => ["--param", param]);
  const lines = (await wf("run", DEMO, "--json", ...options)).trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Event);
  const stages = (state: string) => [
    ...new Set(events.filter((event) => event.type === "task.ended" && event.state === state).map((e) => e.stage)),
  ];
  return {
    ran: (stages("done") as string[]).sort(),
    cached: (stages("cached") as string[]).sort(),
    last: events.at(-1) as unknown as Finished,
  };
}

const EVERYTHING = [
  "calibrate/assess",
  "calibrate/detect",
  "choose-level",
  "flatten",
  "merge",
  "mosaic",
  "observe",
  "profile",
  "report",
  "score",
  "vet",
];

describe.sequential("the sky survey", () => {
  let first: Finished;

  it("passes wf check", async () => {
    expect(await wf("check", DEMO)).toContain("sky-survey");
  });

  it("finds what was put into the sky, and ends with the documented line", async () => {
    const { ran, last } = await runDemo();
    first = last;
    expect(ran).toEqual(EVERYTHING);
    expect(Object.keys(last)).toEqual(["type", "run", "status", "outputs", "metrics", "seconds"]);
    expect(last).toMatchObject({ type: "run.finished", status: "succeeded" });
    expect(last.seconds).toBeGreaterThan(0);
    expect(Object.keys(last.metrics)).toEqual(["completeness", "purity", "typed"]);
    expect(last.metrics.completeness).toBeGreaterThan(0.6);
    expect(last.metrics.completeness).toBeLessThanOrEqual(1);
    expect(last.metrics.purity).toBeGreaterThan(0.9);
    expect(last.metrics.purity).toBeLessThanOrEqual(1);

    const output = (name: string) => readFileSync(last.outputs[name]?.path as string);
    expect(output("mosaic").subarray(0, 8)).toEqual(PNG);
    const page = output("report").toString("utf8");
    expect(page).toContain("<h1>Sky survey</h1>");
    expect(page.match(/<figure>/g)).toHaveLength(3);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    const [head, ...rows] = output("catalogue").toString("utf8").trim().split("\n");
    expect(head).toBe("tile,x,y,flux,magnitude,width,kind");
    const fluxes = rows.map((row) => Number(row.split(",")[3]));
    expect(fluxes).toEqual([...fluxes].sort((a, b) => b - a));
  });

  it("runs nothing the second time, and gives the same", async () => {
    const { ran, cached, last } = await runDemo();
    expect(ran).toEqual([]);
    expect(cached).toEqual(EVERYTHING);
    expect(last.metrics).toEqual(first.metrics);
    for (const name of ["report", "mosaic", "catalogue"]) {
      const [again, before] = [last, first].map((run) => readFileSync(run.outputs[name]?.path as string));
      expect(again?.equals(before as Buffer), name).toBe(true);
    }
  });

  it("draws again in another style, and measures nothing again", async () => {
    const { ran, last } = await runDemo("style=print");
    expect(ran).toEqual(["mosaic", "report"]);
    expect(readFileSync(last.outputs.report?.path as string, "utf8")).toContain("--paper: #fff");
  });

  it("searches again at another threshold, in the tiles that it has", async () => {
    const { ran, cached } = await runDemo("threshold=12");
    expect(cached).toEqual(expect.arrayContaining(["flatten", "observe"]));
    expect(ran).toEqual(expect.arrayContaining(["calibrate/assess", "calibrate/detect", "choose-level"]));
    expect(ran).not.toContain("observe");
    expect(ran).not.toContain("flatten");
  });

  it("takes no second look where the catalogue is pure enough", async () => {
    const { ran, cached } = await runDemo("purity=0");
    expect([...ran, ...cached]).not.toContain("vet");
  });
});
