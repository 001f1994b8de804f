import { SetupProblem } from "./setup-problem.mjs";

const SIGNS =
  /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|META_FETCH_FAIL/;

/** A ready-made binary that cannot be fetched is built instead, so it is not what went wrong. */
const HARMLESS = /prebuild-install warn/;

/** The problem that a failed download is, or null if the output shows no sign of one. */
export function networkProblem(output) {
  const lines = output.split("\n").filter((line) => SIGNS.test(line) && !HARMLESS.test(line));
  const line = lines.find((candidate) => candidate.includes("reason:")) ?? lines[0];
  if (line === undefined) return null;
  return new SetupProblem("a download failed", {
    why: line.trim(),
    type: "npm ping   (set a proxy with: npm config set proxy URL), then the same command again",
  });
}
