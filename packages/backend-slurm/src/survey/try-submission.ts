import { shellLine } from "@wf/protocol";
import type { SlurmPartition, SlurmSettings } from "@wf/site";
import { askAtOnce, type Transport } from "@wf/transport";
import { parseTestOnly, type TestOnlyAnswer } from "../parsing/parse-test-only.ts";
import { directives } from "../submitting/directives.ts";

/** Null: the partition that the cluster chooses. */
export type TriedPartition = SlurmPartition | null;

/** Asks SLURM whether it would take a smallest job in each of these partitions, as the site submits it. None is made.
 * `prologue`: lines of sh that make sbatch known. */
export async function trySubmissions(
  transport: Transport,
  settings: SlurmSettings,
  partitions: readonly TriedPartition[],
  signal: AbortSignal,
  prologue = "",
): Promise<ReadonlyMap<TriedPartition, TestOnlyAnswer>> {
  const questions = Object.fromEntries(
    partitions.map((partition, index) => [`${index}`, shellLine(testOnlyCommand(settings, partition))]),
  );
  const answers = await askAtOnce(transport, questions, signal, prologue);
  return new Map(
    partitions.map((partition, index) => {
      const { code = null, text = "" } = answers[`${index}`] ?? {};
      return [partition, parseTestOnly({ code, stdout: "", stderr: text })];
    }),
  );
}

function testOnlyCommand(settings: SlurmSettings, partition: TriedPartition): readonly string[] {
  const request = {
    nodes: 1,
    ranksPerNode: 1,
    cpus: 1,
    memoryBytes: 0,
    gpus: partition !== null && partition.gpusPerNode > 0 ? 1 : 0,
    timeSeconds: null,
  };
  const job = { name: "wf-test", request, elements: 1, partition, settings, excludedNodes: [], after: [] };
  return ["sbatch", "--test-only", ...directives(job), "--wrap=true"];
}
