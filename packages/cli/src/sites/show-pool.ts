import { poolCapacity } from "@wf/backend-htcondor";
import { formatBytes } from "../format/bytes.ts";
import type { Colours } from "../format/colour.ts";
import { counted } from "../format/count.ts";
import { pairs } from "../format/table.ts";
import { loginRow, machineRows } from "./show-survey.ts";
import type { PoolSurvey } from "./survey-site.ts";

/** What was found of a pool, for programs. What has no limit is null. */
export function poolDocument({ htcondor, ...machine }: PoolSurvey): Record<string, unknown> {
  const { slots, ...pool } = htcondor;
  return { ...machine, htcondor: { ...pool, slots: slots.length, ...poolCapacity(htcondor) } };
}

/** The same for a person. */
export function showPool(place: string, survey: PoolSurvey, colours: Colours): string[] {
  const { htcondor } = survey;
  const { machines, sharingMachines, cpus, memoryBytes, gpus } = poolCapacity(htcondor);
  const limit = (most: number) => (Number.isFinite(most) ? `up to ${most}` : "no limit");
  return pairs(
    [
      loginRow(place, survey),
      ["htcondor", `${htcondor.version}, ${counted(machines, "machine")}`],
      ["largest", `${cpus} cpus, ${formatBytes(memoryBytes)}, ${gpus} gpus`],
      ["files", `${sharingMachines} of ${machines} machines share them with the submit host`],
      ["limits", `jobs: ${limit(htcondor.maxJobs)}; of one submission: ${limit(htcondor.maxJobsPerSubmission)}`],
      ...machineRows(survey),
    ],
    colours.dim,
  );
}
