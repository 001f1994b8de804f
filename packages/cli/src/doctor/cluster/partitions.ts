import {
  type PartitionCapacity,
  type PartitionFacts,
  partitionCapacity,
  type SlurmSurvey,
  type TestOnlyAnswer,
  type TriedPartition,
  trySubmissions,
} from "@wf/backend-slurm";
import type { SlurmPartition } from "@wf/site";
import { memoryText, timeText } from "../../sites/amount-text.ts";
import { type Check, type Diagnosis, fail, ok, warn } from "../diagnosis.ts";
import { type SlurmPlace, settingOf } from "./cluster-place.ts";

/** One check a partition of the site; where it names none, one for what the cluster chooses. */
export function checkPartitions(place: SlurmPlace, survey: SlurmSurvey): readonly Check[] {
  const { transport, slurm, signal } = place;
  const partitions: readonly TriedPartition[] = slurm.partitions.length > 0 ? slurm.partitions : [null];
  const tried = trySubmissions(transport, slurm, partitions, signal);
  return partitions.map((partition) => ({
    name: "partition",
    async examine() {
      const answer = (await tried).get(partition) ?? { type: "ambiguous", words: "SLURM said nothing" };
      return partition === null
        ? judgeAnswer(place, "(default)", answer, survey)
        : judge(place, partition, answer, survey);
    },
  }));
}

function judge(place: SlurmPlace, partition: SlurmPartition, answer: TestOnlyAnswer, survey: SlurmSurvey): Diagnosis {
  const facts = survey.partitions.find(({ name }) => name === partition.name);
  // SLURM hides some from those who look, but takes their jobs.
  if (facts === undefined && answer.type !== "would-start") {
    return fail(
      `there is no partition ${partition.name}; there are: ${survey.partitions.map(({ name }) => name).join(", ")}`,
      `change ${settingOf(place, "slurm.partitions")}`,
    );
  }
  if (facts === undefined) return ok(`${partition.name} takes jobs`);
  const capacity = partitionCapacity(facts, survey.nodes);
  const excess = whatIsTooMuch(partition, facts, capacity);
  if (excess.length > 0) {
    return fail(
      `${partition.name} has less than sites.yaml says, so jobs would wait for ever: ${excess.map(([has]) => has).join(", ")}`,
      `set for it in ${settingOf(place, "slurm.partitions")}: ${excess.map(([, set]) => set).join(", ")}`,
    );
  }
  if (!facts.isUp)
    return fail(
      `${partition.name} takes no jobs now: it is not up`,
      `try later, or take it out of ${settingOf(place, "slurm.partitions")}`,
    );
  const judged = judgeAnswer(place, partition.name, answer, survey);
  if (judged.health !== "ok" || capacity.usableNodes > 0) return judged;
  return warn(`${partition.name}: none of its ${capacity.nodes} nodes is up`, "jobs will wait until they come back");
}

function judgeAnswer(place: SlurmPlace, name: string, answer: TestOnlyAnswer, survey: SlurmSurvey): Diagnosis {
  switch (answer.type) {
    case "would-start":
      return ok(`${name} takes jobs`);
    case "refused":
      return fail(`${name} would refuse jobs: ${answer.words}`, adviceFor(place, answer.why, survey));
    case "postponed":
    case "ambiguous":
      return warn(`${name} does not say whether it takes jobs: ${answer.words}`, "try again later");
    default:
      return answer satisfies never;
  }
}

function adviceFor(place: SlurmPlace, why: string, { associations }: SlurmSurvey): string {
  const listed = (names: readonly string[]) =>
    names.length === 0 ? "" : ` (yours: ${[...new Set(names)].join(", ")})`;
  switch (why) {
    case "account":
      return `change ${settingOf(place, "slurm.account")}${listed(associations.map(({ account }) => account))}`;
    case "qos":
      return `change ${settingOf(place, "slurm.qos")}${listed(associations.flatMap(({ qos }) => qos))}`;
    case "constraint":
      return `change ${settingOf(place, "slurm.constraint")}, or that of the partition`;
    case "gres":
      return `change gres of the partition: ${settingOf(place, "slurm.partitions")}`;
    case "option":
      return `look at ${settingOf(place, "slurm.directives")}`;
    default:
      return `change ${settingOf(place, "slurm")}, or ask those who run the cluster`;
  }
}

/** What the partition has, and what to set instead. */
function whatIsTooMuch(
  partition: SlurmPartition,
  facts: PartitionFacts,
  capacity: PartitionCapacity,
): readonly (readonly [has: string, set: string])[] {
  const nodes = Math.min(facts.maxNodes, capacity.nodes);
  const compared: readonly (readonly [said: number | undefined, has: number, words: string, set: string])[] = [
    [partition.maxTime, facts.maxTimeSeconds, "time", `maxTime: ${timeText(facts.maxTimeSeconds)}`],
    [partition.maxNodes, nodes, "nodes", `maxNodes: ${nodes}`],
    [partition.cpusPerNode, capacity.cpusPerNode, "cpus a node", `cpusPerNode: ${capacity.cpusPerNode}`],
    [
      partition.memoryPerNode,
      // Where a cluster does not manage memory, its nodes say 1 MB.
      capacity.memoryPerNodeBytes > 2 ** 20 ? capacity.memoryPerNodeBytes : Number.POSITIVE_INFINITY,
      "memory a node",
      `memoryPerNode: ${memoryText(capacity.memoryPerNodeBytes)}`,
    ],
    [partition.gpusPerNode, capacity.gpusPerNode, "GPUs a node", `gpusPerNode: ${capacity.gpusPerNode}`],
  ];
  return compared.filter(([said, has]) => said !== undefined && said > has).map(([, , words, set]) => [words, set]);
}
