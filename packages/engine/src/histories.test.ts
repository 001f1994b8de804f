/** Laws: whatever happens to engines, sites and messages, a run ends as one to which nothing happens, and wastes nothing. */
import { canonical, type Json } from "@wf/protocol";
import { cases } from "@wf/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Dice } from "./test-dice.ts";
import { History } from "./test-history.ts";
import { brokenLaws } from "./test-laws.ts";
import { behaviourOf, graphOf, programs } from "./test-program.ts";
import { type RunSettings, runSettings } from "./test-run.ts";
import { TroubledSite } from "./test-troubled-site.ts";

/** Of one program, in each case. `pnpm bench histories` counts on it. */
const HISTORIES = 10;

const settings = fc.record({
  slots: fc.integer({ min: 1, max: 4 }),
  tasksPerJob: fc.constantFrom(1, 1, 2, 5),
  useCache: fc.boolean(),
  keepGoing: fc.boolean(),
  retries: fc.nat({ max: 2 }),
  preparingSeconds: fc.constantFrom(null, null, 0),
});
const nature = fc.record({ failsAlways: fc.constantFrom(false, false, true), isProvisional: fc.boolean() });
const throws = fc.array(fc.nat({ max: 239 }), { maxLength: 240, size: "max" });
type Nature = typeof nature extends fc.Arbitrary<infer T> ? T : never;

function historyOf(chosen: RunSettings, { failsAlways, isProvisional }: Nature, thrown: readonly number[]): History {
  const dice = new Dice(thrown);
  const behaviour = behaviourOf({ sometimes: false, always: failsAlways });
  return new History(chosen, dice, new TroubledSite(dice, behaviour, chosen.retries, isProvisional));
}

/** What a run came to. Which tasks run before a failure stops it is a matter of chance. */
function endOf(history: History, { keepGoing }: RunSettings) {
  const status = history.finish();
  if (status === "succeeded") return { status, tasks: history.results(), outputs: history.outputs() };
  return keepGoing ? { status, tasks: history.results() } : { status };
}

test("a run ends as an undisturbed one, whatever happens to engines, sites and messages", () => {
  fc.assert(
    fc.property(
      programs(2, 2),
      settings,
      nature,
      fc.array(throws, { minLength: HISTORIES, maxLength: HISTORIES }),
      (statements, options, site, dice) => {
        const chosen = runSettings(graphOf(statements), options);
        const undisturbed = endOf(historyOf(chosen, site, []), chosen);
        const expected = canonical(undisturbed as Json);
        for (const thrown of dice) {
          const history = historyOf(chosen, site, thrown);
          const end = endOf(history, chosen);
          const broken = brokenLaws(history, chosen.retries, end.status === "failed" && !chosen.keepGoing);
          if (broken.length > 0) throw new Error(broken.join("\n"));
          if (canonical(end as Json) !== expected) expect(end).toEqual(undisturbed);
        }
      },
    ),
    cases(500),
  );
});
