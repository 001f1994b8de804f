import { EXIT_CODES } from "../../packages/cli/dist/index.js";
import { ERROR_CODES } from "../../packages/protocol/dist/index.js";

/** docs/errors.md: every code that a user can meet, under the exit code that it gives. */
export function errorsPage() {
  return [
    "<!-- Generated from packages/protocol/src/errors/error-codes.ts by `pnpm docs`. -->",
    "",
    "# The errors of wf",
    "",
    "An error says what happened, where, and what to type next. Its code is stable, so scripts can rely on it:",
    "",
    "```",
    'error[WF_SPLIT_FIT]: input "val" is made from test data, and "train" fits',
    '  at: task "train" (workflow.ts:31)',
    "  next: fit on train and val data only; …",
    "```",
    "",
    ...EXIT_CODES.flatMap(([exitCode, meaning]) => section(exitCode, meaning)),
  ].join("\n");
}

function section(exitCode, meaning) {
  const codes = Object.entries(ERROR_CODES).filter(([, [exit]]) => exit === exitCode);
  if (codes.length === 0) return [];
  return [
    `## Exit code ${exitCode}: ${meaning}`,
    "",
    "| code | meaning |",
    "|---|---|",
    ...codes.map(([code, [, text]]) => `| \`${code}\` | ${text} |`),
    "",
  ];
}
