import { ensureGnuTime } from "./gnu-time.mjs";
import { ensureLoginShells } from "./login-shells.mjs";
import { ensurePyTorch } from "./python-for-tests.mjs";
import { ensureVenv } from "./python-venv.mjs";
import { ensureSshServer } from "./ssh-server.mjs";
import { ensureWebServer } from "./web-server.mjs";

/** What steps mark, and what brings it: each returns what has to be skipped where it cannot be had. */
const NEEDS = {
  measures: ensureGnuTime,
  connects: ensureSshServer,
  quotes: ensureLoginShells,
  builds: ensureVenv,
  serves: ensureWebServer,
  learns: ensurePyTorch,
};

export function needsAnything(step) {
  return Object.keys(NEEDS).some((need) => step[need]);
}

/** Brings what steps need, one after the other, since all of it is installed by the same programs. Returns what is skipped. */
export async function ensureNeeds(steps) {
  const skipped = [];
  for (const [need, ensure] of Object.entries(NEEDS)) {
    const what = steps.some((step) => step[need]) ? await ensure() : undefined;
    if (what === undefined) continue;
    console.log(`SKIPPED: ${what}`);
    skipped.push(what);
  }
  return skipped;
}
