import type { Transport } from "@wf/transport";
import { formatDuration } from "../../format/duration.ts";
import { type Check, ok, warn } from "../diagnosis.ts";
import type { ClusterPlace } from "./cluster-place.ts";

const SLOW_SECONDS = 2;
const SKEW_SECONDS = 10;

/** Connects: the route, the host key and the login are what it may fail of, and each says so itself. */
export function checkLogin(transport: Transport, signal: AbortSignal): Check {
  return {
    name: "login",
    async examine() {
      await transport.run({ argv: ["true"], isRepeatable: true }, signal);
      const started = performance.now();
      await transport.run({ argv: ["true"], isRepeatable: true }, signal);
      const seconds = (performance.now() - started) / 1000;
      const says = `${transport.name} answers in ${formatDuration(seconds)}`;
      return seconds <= SLOW_SECONDS
        ? ok(says)
        : warn(`${says}: it is far, or busy`, "it works; runs will hear of their tasks later");
    },
  };
}

/** Times in records come from there. */
export function checkClock({ transport, signal }: ClusterPlace, now: () => number = Date.now): Check {
  return {
    name: "clock",
    async examine() {
      const asked = now();
      const { stdout } = await transport.run({ argv: ["date", "+%s"], isRepeatable: true }, signal);
      const answered = now();
      const there = Number.parseInt(stdout, 10);
      // It was read between the two, and it is cut to a whole second.
      const ahead = Math.max(0, there - answered / 1000);
      const behind = Math.max(0, asked / 1000 - (there + 1));
      const skew = Math.max(ahead, behind);
      if (skew <= SKEW_SECONDS) return ok(`within ${SKEW_SECONDS} s of this machine's`);
      return warn(
        `${formatDuration(skew)} ${ahead > 0 ? "ahead of" : "behind"} this machine's: times of tasks will look odd`,
        "set the clock of this machine (timedatectl set-ntp true), or tell those who run the cluster",
      );
    },
  };
}
