/** `pnpm bench [NAME…] [--json]`: exits with 1 if a promise is broken or a benchmark fails, with 2 on a wrong name. */
import { isKept, type Result, ratioOf } from "./benchmark.ts";
import { BENCHMARKS } from "./registry.ts";
import { resultTable } from "./result-table.ts";

const args = process.argv.slice(2);
const isJson = args.includes("--json");
const names = args.filter((arg) => arg !== "--json");
const unknown = names.filter((name) => BENCHMARKS.every((benchmark) => benchmark.name !== name));
if (unknown.length > 0) {
  const known = BENCHMARKS.map(({ name, description }) => `  ${name.padEnd(12)} ${description}`);
  process.stderr.write(`no such benchmark: ${unknown.join(", ")}; there are:\n${known.join("\n")}\n`);
  process.exit(2);
}

function jsonLine(result: Result): string {
  const { name, value, unit, reference, referenceValue } = result;
  return JSON.stringify({ name, value, unit, reference, referenceValue, ratio: ratioOf(result) });
}

const results: Result[] = [];
for (const benchmark of BENCHMARKS) {
  if (names.length > 0 && !names.includes(benchmark.name)) continue;
  process.stderr.write(`${benchmark.name}: ${benchmark.description}\n`);
  try {
    const found = await benchmark.run();
    results.push(...found);
    if (isJson) for (const result of found) console.log(jsonLine(result));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${benchmark.name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

if (!isJson && results.length > 0) console.log(`\n${resultTable(results)}`);
if (!results.every(isKept)) process.exitCode = 1;
