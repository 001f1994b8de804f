import type { Hold } from "../parsing/pool-event.ts";

const HOLD_CLASSES = [
  "memory", // it used more than it had asked for
  "not-started", // its program, its folder or its standard streams cannot be had on the machine
  "input", // its inputs could not be sent
  "output", // its outputs could not be fetched
  "by-hand", // somebody asked for it
  "policy", // an expression of the job or of the pool
  "spooling", // its files are on the way to the submit host: nobody has to do anything
  "other",
] as const;
export type HoldClass = (typeof HOLD_CLASSES)[number];

/** HTCondor's CONDOR_HOLD_CODE. Those that are not here are `other`. */
const CLASSES: Readonly<Record<number, HoldClass>> = {
  1: "by-hand",
  3: "policy",
  4: "not-started", // credentials
  6: "not-started", // the program cannot be executed
  7: "not-started", // standard output
  8: "not-started", // standard input
  9: "not-started", // standard error
  12: "output",
  13: "input",
  14: "not-started", // the job's folder
  15: "by-hand", // submitted on hold
  16: "spooling",
  21: "policy", // the machine's own
  22: "not-started", // its process group
  26: "policy", // the submit host's own
  34: "memory",
  35: "not-started", // the container's image
};

/** Pools without cgroups hold by an expression of their own, whose words name the memory. */
const MEMORY_WORDS =
  /MemoryUsage|ResidentSetSize|memory (usage|limit|exceed)|exceed\w* .*memory|over .*memory|out.of.memory|memory.*(exceed|over)/i;

export function classifyHold({ code, reason }: Hold): HoldClass {
  const found = CLASSES[code] ?? "other";
  return (found === "policy" || found === "other") && MEMORY_WORDS.test(reason) ? "memory" : found;
}
