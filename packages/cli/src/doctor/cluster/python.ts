import { shellLine } from "@wf/protocol";
import { askAtOnce } from "@wf/transport";
import { choosePython, isNewEnough, PYTHON_LINES, parsePythons, VERSION_EXPRESSION } from "../../sites/found-python.ts";
import { type Check, fail, ok } from "../diagnosis.ts";
import { type ClusterPlace, settingOf } from "./cluster-place.ts";

/** The one that runs the launcher, on the login node and in jobs. */
export function checkClusterPython(place: ClusterPlace): Check {
  return {
    name: "python",
    async examine() {
      const { transport, python, signal } = place;
      const { own, others } = await askAtOnce(
        transport,
        { own: shellLine([python, "-I", "-c", VERSION_EXPRESSION]), others: PYTHON_LINES },
        signal,
      );
      const version = own.text.trim();
      if (own.code === 0 && isNewEnough(version)) return ok(`${version}, ${python}`);
      const better = choosePython(parsePythons(others.text));
      const advice = better
        ? `set ${settingOf(place, "python")} to ${better.path} (${better.version})`
        : `install Python 3.6 or newer there, or name one: ${settingOf(place, "python")}`;
      return own.code === 0
        ? fail(`${python} is ${version}, and 3.6 is the oldest that works`, advice)
        : fail(`${python} does not start: ${version.split("\n").at(-1)}`, advice);
    },
  };
}
