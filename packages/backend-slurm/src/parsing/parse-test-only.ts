import { parseSbatch, type SubmitAnswer } from "./parse-sbatch.ts";

export type TestOnlyAnswer =
  /** `words`: when and where, as SLURM foresees it. */
  { readonly type: "would-start"; readonly words: string } | Exclude<SubmitAnswer, { readonly type: "accepted" }>;

/** What `sbatch --test-only` means. No job is made, and everything is said on standard error. */
export function parseTestOnly(result: {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): TestOnlyAnswer {
  const foreseen = /^sbatch: Job \d+ (to start at .*)$/m.exec(result.stderr);
  if (result.code === 0) return { type: "would-start", words: foreseen?.[1] ?? "" };
  const answer = parseSbatch(result);
  return answer.type === "accepted" ? { type: "ambiguous", words: result.stderr } : answer;
}
