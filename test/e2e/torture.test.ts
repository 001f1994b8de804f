/** A short round of `pnpm torture`, and the parts that it stands on: a checker that finds nothing proves nothing. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { dice } from "../dice.ts";
import type { Disturbance } from "../torture/disturbance.ts";
import { readLedger } from "../torture/ledger.ts";
import { brokenInLedger, type LedgerCase } from "../torture/ledger-laws.ts";
import { localPlace } from "../torture/local-place.ts";
import { parseOptions } from "../torture/options.ts";
import { expectedOf, sha256 } from "../torture/oracle.ts";
import { drawRound, type Round } from "../torture/round.ts";
import { shrink } from "../torture/shrink.ts";
import { ageTemporaryFiles, brokenInStorage, brokenOutputs } from "../torture/store-laws.ts";
import { torture } from "../torture/torture.ts";
import { turnedClock } from "../torture/turned-clock.ts";
import { drawShape, type Shape, smallerShapes } from "../torture/workflow-shape.ts";

const folder = mkdtempSync(join(tmpdir(), "wf-torture-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform !== "linux")("a short torture of the local site", () => {
  it("breaks no law", async () => {
    const clock = turnedClock();
    const place = { ...localPlace({ hasClock: clock !== undefined }), limits: { blocks: 3, width: 3, depth: 2 } };
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`torture with seed ${seed}`);
    const said: string[] = [];
    try {
      const say = (line: string) => void said.push(line);
      const seconds = Number.POSITIVE_INFINITY;
      const tally = await torture({ place, clock, seed, seconds, kills: 8, shrinkingRounds: 0, say });
      expect(tally.violations, said.join("\n")).toBe(0);
      expect(tally.kills).toBeGreaterThanOrEqual(8);
    } finally {
      clock?.close();
    }
  });

  it("can turn the clock of a program that runs", ({ skip }) => {
    const clock = turnedClock();
    skip(clock === undefined, "SKIPPED: turning clocks needs a C compiler");
    try {
      clock?.turn(40 * 86_400);
      const now = Date.now();
      const { stdout } = spawnSync(process.execPath, ["-p", "Date.now()"], {
        env: { ...process.env, ...clock?.env },
        encoding: "utf8",
      });
      expect(Number(stdout) - now).toBeGreaterThan(39 * 86_400_000);
    } finally {
      clock?.close();
    }
  });
});

describe("what a round is made of", () => {
  const shapes = fc.nat().map((seed) => drawShape(dice(seed), { blocks: 6, width: 5, depth: 3 }));
  const isWhole = ({ blocks }: Shape) =>
    blocks.length > 0 && blocks.every(({ from }, place) => from.every((other) => other >= 0 && other < place));

  it("is the same for the same seed", () => {
    const place = localPlace({ hasClock: true });
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(drawRound(seed, place)).toEqual(drawRound(seed, place));
      }),
    );
  });

  it("reads from earlier blocks alone, also when it is made smaller", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        expect(isWhole(shape)).toBe(true);
        for (const smaller of smallerShapes(shape)) {
          expect(isWhole(smaller)).toBe(true);
          expect(expectedOf(smaller).tasks.length).toBeLessThanOrEqual(expectedOf(shape).tasks.length);
        }
      }),
      cases(200),
    );
  });

  it("has one name for each task, and an output that follows from all that it stands on", () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { tasks, outputs } = expectedOf(shape);
        expect(new Set(tasks).size).toBe(tasks.length);
        const hashes = shape.blocks.map((_, place) => outputs.get(`b${place}.txt`));
        expect(new Set(hashes).size).toBe(shape.blocks.length);
      }),
      cases(200),
    );
    const chain: Shape = { retries: 0, blocks: [{ kind: "chain", from: [], width: 1, depth: 2 }] };
    const first = `${sha256("b0.0.0\n")}  -\n`;
    expect(expectedOf(chain).outputs.get("b0.txt")).toBe(sha256(`${sha256(`b0.0.1\n${first}`)}  -\n`));
  });
});

describe("the laws", () => {
  const attempt = (name: string, number: number, state: string) => ({
    run: "r",
    attempt: `${name}@${number}`,
    number,
    state,
  });
  const lines = (...texts: readonly string[]) => {
    const file = join(folder, "ledger");
    writeFileSync(file, texts.map((text) => `${text}\n`).join(""));
    return readLedger(file);
  };
  const sound: LedgerCase = {
    lines: lines("start r a@1 x", "start r a@2 x", "end r a@2 x"),
    attempts: [attempt("a", 1, "failed"), attempt("a", 2, "succeeded")],
    tasks: ["x"],
    couldEndTasks: true,
    mayLiveOn: false,
  };

  it.each<[string, Partial<LedgerCase>, RegExp | undefined]>([
    ["a task that was ended and tried again", {}, undefined],
    ["an attempt that is started twice", { lines: lines("start r a@2 x", "start r a@2 x") }, /a@2 was started twice/],
    [
      "a task that is started again after its success",
      { attempts: [attempt("a", 1, "succeeded"), attempt("a", 2, "failed")] },
      /r a had succeeded and was started again/,
    ],
    ["a second start that nothing explains", { couldEndTasks: false }, /started 2 times, and nothing had ended it/],
    [
      "an attempt that outlives the start of the next one",
      { lines: lines("start r a@1 x", "start r a@2 x", "end r a@1 x", "end r a@2 x") },
      /a@1 still ran when a@2 had started/,
    ],
    ["an attempt that is not in the store", { attempts: [attempt("a", 2, "succeeded")] }, /store does not know it/],
    ["a task that never ran", { tasks: ["x", "y"] }, /y never ran/],
    ["a task that nobody asked for", { tasks: [] }, /x ran, and is no task/],
  ])("are asked of a ledger: %s", (_what, changes, says) => {
    const broken = brokenInLedger({ ...sound, ...changes });
    if (says === undefined) expect(broken).toEqual([]);
    else expect(broken.join("\n")).toMatch(says);
  });

  it("name an output that is wrong, missing or too many", () => {
    const outputs = join(folder, "outputs");
    mkdirSync(outputs);
    writeFileSync(join(outputs, "a.txt"), "a");
    writeFileSync(join(outputs, ".b.txt.123"), "half");
    expect(
      brokenOutputs(
        outputs,
        new Map([
          ["a.txt", sha256("b")],
          ["c.txt", sha256("c")],
        ]),
      ),
    ).toEqual([
      expect.stringContaining("a.txt is another one"),
      expect.stringContaining("c.txt is missing"),
      expect.stringContaining(".b.txt.123 is nobody's"),
    ]);
  });

  it("name content that is not what its name says, records that are not whole, and what is unfinished", () => {
    const storage = join(folder, "storage");
    const write = (path: string, text: string) => {
      mkdirSync(join(storage, path, ".."), { recursive: true });
      writeFileSync(join(storage, path), text);
    };
    write(`objects/aa/${sha256("good")}`, "good");
    write(`objects/aa/${sha256("bad")}`, "ba");
    write("runs/r/records/a@1.json", '{"attempt":"a@1"}');
    write("runs/r/records/b@1.json", '{"attempt":');
    write("runs/r/records/.b@1.json.host.7", '{"attempt":');
    write("tmp/half", "ha");
    expect(brokenInStorage(storage)).toEqual([
      expect.stringContaining(sha256("bad")),
      expect.stringContaining("b@1.json is no whole record"),
    ]);
    expect(ageTemporaryFiles(storage)).toEqual([join(storage, "tmp/half")]);
    expect(readFileSync(join(storage, "tmp/half"), "utf8")).toBe("ha");
  });
});

describe("shrinking", () => {
  it("ends with the least that still fails", async () => {
    const place = localPlace({ hasClock: true });
    const act = (name: Disturbance["act"]): Disturbance => ({ act: name, after: 1, pauseMs: 0, choice: 0 });
    const drawn = drawRound(7, place);
    const disturbances = [...drawn.disturbances, act("kill-wf"), ...drawn.disturbances, act("gc")];
    const loop = { kind: "loop", from: [], width: 4, depth: 1 } as const;
    const round: Round = { ...drawn, disturbances, shape: { ...drawn.shape, blocks: [...drawn.shape.blocks, loop] } };
    const fails = async ({ disturbances: left, shape }: Round) =>
      left.some(({ act: done }, i) => done === "kill-wf" && left.slice(i).some((later) => later.act === "gc")) &&
      shape.blocks.some(({ kind, width }) => kind === "loop" && width >= 2);
    expect(await fails(round)).toBe(true);
    const smallest = await shrink(round, fails, { tries: 1, mostRounds: 10_000 });
    expect(smallest.disturbances.map(({ act: done }) => done)).toEqual(["kill-wf", "gc"]);
    expect(smallest.shape.blocks).toEqual([expect.objectContaining({ kind: "loop", from: [], depth: 1 })]);
    expect(smallest.shape.blocks[0]?.width).toBeLessThanOrEqual(3);
  });

  it("tries again what fails only sometimes, and gives up in time", async () => {
    const round = drawRound(9, localPlace({ hasClock: true }));
    let rounds = 0;
    const sometimes = async () => ++rounds % 3 === 0;
    const smallest = await shrink(round, sometimes, { tries: 3, mostRounds: 50 });
    expect(rounds).toBeLessThanOrEqual(50);
    expect(smallest.disturbances.length).toBeLessThan(round.disturbances.length);
  });
});

describe("the arguments", () => {
  it("say where, how long and with which seed", () => {
    expect(parseOptions(["--site", "slurm", "--kills", "1000", "--seed", "7"])).toEqual({
      site: "slurm",
      seed: 7,
      seconds: Number.POSITIVE_INFINITY,
      kills: 1000,
      round: undefined,
    });
    expect(parseOptions(["--", "--round", "r.json"])).toMatchObject({ site: "local", seconds: 60, round: "r.json" });
  });

  it.each([
    ["--site", "moon"],
    ["--kills", "many"],
    ["--what", "1"],
  ])("are refused where they make no sense: %s %s", (...words) => {
    expect(() => parseOptions(words)).toThrow(words[0]);
  });
});
