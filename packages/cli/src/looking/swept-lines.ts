import type { Swept } from "@wf/run";
import { formatBytes } from "../format/bytes.ts";
import { counted } from "../format/count.ts";
import type { Screen } from "../screen.ts";

/** What went, or would go, from the storage of a site. */
export function sweptLines(swept: Swept, isDryRun: boolean, { colours }: Pick<Screen, "colours">): string[] {
  const { name, runs, objects, leftovers, young, kept, busy, others } = swept;
  const bytes = runs.bytes + objects.bytes + leftovers.bytes;
  const what = [
    `${counted(objects.count, "object")} (${formatBytes(objects.bytes)})`,
    `${counted(runs.count, "run folder")} (${formatBytes(runs.bytes)})`,
    ...(leftovers.count === 0
      ? []
      : [`${counted(leftovers.count, "unfinished file")} (${formatBytes(leftovers.bytes)})`]),
  ].join(", ");
  return [
    `on ${name}: ${isDryRun ? "would free" : "freed"} ${colours.bold(formatBytes(bytes))}: ${what}`,
    ...(young.count === 0
      ? []
      : [
          colours.gray(
            `on ${name}: kept, for they are new: ${counted(young.count, "object")} (${formatBytes(young.bytes)})`,
          ),
        ]),
    ...busy.map((run) => `on ${name}: kept ${run}, for jobs of it are still in the queue`),
    `on ${name}: kept ${counted(kept.count, "object")} (${formatBytes(kept.bytes)})`,
    ...(others === 0 ? [] : [colours.gray(`on ${name}: left alone ${counted(others, "run")} of other stores`)]),
    ...(isDryRun && bytes > 0 ? [`  ${colours.gray("next")}  the same without --dry-run`] : []),
  ];
}
