import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { REPOSITORY } from "../repository.ts";
import type { Benchmark } from "./benchmark.ts";

const CASES = 2_000;
const HISTORIES_A_CASE = 10;
const AIM = 100_000;

/** What vitest's JSON reporter says, as far as it is read here. */
interface Report {
  readonly success: boolean;
  readonly testResults: readonly { readonly assertionResults: readonly { readonly duration: number }[] }[];
}

export const histories: Benchmark = {
  name: "histories",
  description: `${(CASES * HISTORIES_A_CASE).toLocaleString("en")} random histories of the engine, on one core`,
  async run() {
    const test = "packages/engine/src/histories.test.ts";
    const argv = ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "--reporter=json", test];
    const child = spawn(process.execPath, argv, {
      cwd: REPOSITORY,
      env: { ...process.env, WF_TEST_CASES: String(CASES) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const report: Report = JSON.parse(await text(child.stdout));
    if (!report.success) throw new Error(`a history broke a law: WF_TEST_CASES=${CASES} npx vitest run ${test}`);
    const durations = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    const minutes = durations.reduce((sum, { duration }) => sum + duration, 0) / 60_000;
    return [
      {
        name: "histories",
        value: (CASES * HISTORIES_A_CASE) / minutes,
        unit: "/min",
        reference: "aim",
        referenceValue: AIM,
      },
    ];
  },
};
