import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeForecast, RuntimePreparer } from "@wf/backend";
import { readPreparedRuntime } from "@wf/launcher";
import { canonical, type RuntimeWish } from "@wf/protocol";
import { showWish } from "@wf/run";
import { runtimeText } from "../view/runtime-text.ts";
import { type Check, type Diagnosis, ok, warn } from "./diagnosis.ts";

const TIMEOUT_MS = 300_000;

/** The Python runtimes that runs of this store have prepared. */
export function checkPreparedRuntimes(storage: string): Check[] {
  const folder = join(storage, "runtimes");
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const keys = names.filter((name) => existsSync(join(folder, name, "runtime.json")));
  if (keys.length === 0) {
    return [runtimeCheck(() => ok("none prepared so far; wf doctor FILE looks at those that a workflow needs"))];
  }
  return keys.map((key) =>
    runtimeCheck(() => {
      const runtime = readPreparedRuntime(join(folder, key));
      if (runtime !== null) return ok(runtimeText(runtime));
      return warn(`${key} is no longer as it was prepared`, "the next run that needs it prepares it again");
    }),
  );
}

/** Those that a workflow needs: what there is, what a run would do, or what is missing. Nothing is made. */
export function checkNeededRuntimes(wishes: Iterable<RuntimeWish>, preparer: RuntimePreparer): Check[] {
  const distinct = new Map([...wishes].map((wish) => [canonical(wish), wish]));
  if (distinct.size === 0) return [runtimeCheck(() => ok("the workflow needs none beyond a python3"))];
  return [...distinct.values()].map((wish) =>
    runtimeCheck(async () => tell(wish, await preparer.foresee(wish, AbortSignal.timeout(TIMEOUT_MS)))),
  );
}

function tell(wish: RuntimeWish, forecast: RuntimeForecast): Diagnosis {
  switch (forecast.state) {
    case "ready":
      return ok(runtimeText(forecast.runtime));
    case "would-find":
      return ok(`${runtimeText(forecast.runtime)}, used from the next run on`);
    case "would-build":
      return warn(
        `${showWish(wish)}: not here yet`,
        `the next run ${forecast.says}; or see docs/runtimes.md for an interpreter of your own`,
      );
  }
}

function runtimeCheck(examine: Check["examine"]): Check {
  return { name: "runtime", examine };
}
