import type { SiteLauncher } from "@wf/launcher";
import { type Check, fail, ok } from "../diagnosis.ts";
import type { ClusterPlace } from "./cluster-place.ts";

/** Brings it there, as the first run would, and starts it. */
export function checkSiteLauncher({ transport, signal }: ClusterPlace, launcher: SiteLauncher): Check {
  return {
    name: "launcher",
    async examine() {
      await launcher.deliver(signal);
      const { code, stderr } = await transport.run({ argv: [...launcher.command, "--version"] }, signal);
      if (code === 0) return ok(`starts, ${launcher.folder}`);
      const words = stderr.trim().split("\n").at(-1) || `status ${code}`;
      return fail(`does not start: ${words}`, `remove ${launcher.folder} there, then type the same again`);
    },
  };
}
