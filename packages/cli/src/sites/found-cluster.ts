import { trySubmissions } from "@wf/backend-slurm";
import { type NewSite, SlurmPartition, SlurmSettings } from "@wf/site";
import type { Transport } from "@wf/transport";
import type { Colours } from "../format/colour.ts";
import { printedLine } from "../format/printable.ts";
import { type DraftPartition, draftPartitions } from "./draft-partitions.ts";
import { draftPool } from "./draft-pool.ts";
import { draftSite, ownAccount } from "./draft-site.ts";
import { poolDocument, showPool } from "./show-pool.ts";
import { showSurvey, surveyDocument } from "./show-survey.ts";
import { type ClusterSurvey, PROFILE, surveySite } from "./survey-site.ts";

export interface ClusterToFind {
  readonly name: string;
  readonly host: string | undefined;
  readonly sshConfig: string | undefined;
}

/** A site that could be added, and what it was made from. */
export interface FoundCluster {
  readonly site: NewSite;
  readonly document: Record<string, unknown>;
  show(width: number | undefined, colours: Colours): string[];
}

export async function findCluster(
  wanted: ClusterToFind,
  transport: Transport,
  signal: AbortSignal,
): Promise<FoundCluster> {
  const survey = await surveySite(transport, signal);
  const place = wanted.host ?? "this machine";
  if ("htcondor" in survey) {
    return {
      site: draftPool({ ...wanted, survey }),
      document: poolDocument(survey),
      show: (_width, colours) => showPool(place, survey, colours),
    };
  }
  const partitions = draftPartitions(survey.slurm);
  const refused = await refusals(transport, survey, partitions, signal);
  const found = { place, survey, partitions, refused };
  return {
    site: draftSite({ ...wanted, survey, partitions, refused }),
    document: surveyDocument(found),
    show: (width, colours) => showSurvey(found, width, colours),
  };
}

/** Why partitions would not take a job of this user. One that SLURM says nothing about counts as usable. */
async function refusals(
  transport: Transport,
  survey: ClusterSurvey,
  partitions: readonly DraftPartition[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const account = ownAccount(survey);
  const settings = SlurmSettings.parse(account === null ? {} : { account });
  const tried = partitions.map((partition) => SlurmPartition.parse(partition.settings));
  const answers = await trySubmissions(transport, settings, tried, signal, survey.needsProfile ? PROFILE : "");
  const refused = new Map<string, string>();
  for (const [partition, answer] of answers) {
    if (partition !== null && answer.type === "refused") refused.set(partition.name, printedLine(answer.words));
  }
  return refused;
}
