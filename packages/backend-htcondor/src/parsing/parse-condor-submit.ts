export type CondorSubmitAnswer =
  | { readonly type: "accepted"; readonly cluster: string; readonly jobs: number }
  /** It will be refused again, as long as it asks for the same. */
  | { readonly type: "refused"; readonly words: string }
  /** There is no job, but the same request may be taken later. */
  | { readonly type: "postponed"; readonly words: string }
  /** There may be jobs: they must be looked up by their token before they are submitted again. */
  | { readonly type: "ambiguous"; readonly words: string };

/** Limits that hold as long as other jobs are in the queue. */
const LIMITS = /MAX_JOBS_SUBMITTED|MAX_JOBS_PER_OWNER/;
/** What some of its words mean here. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^Cannot allocate a cluster id$/i, "it takes no jobs of root, and of nobody else who may not submit"],
  // It is started in the folder of the submission.
  [
    /^No such directory: /i,
    "it is there, but the user who submits cannot enter it, as in another's private home: name another storage in sites.yaml",
  ],
];
/** Nothing was said to the schedd yet. */
const UNREACHABLE = /Can't find address|Unable to contact|Failed to connect|SECMAN|AUTHENTICATE/i;
/** Its jobs may be in the queue all the same, unless the schedd says more: a rule of its own, to which they do not keep. */
const NOT_COMMITTED = /^Failed to commit job submission into the queue\.?$/i;
const NO_ANSWER = /transaction|timed out|timeout|communicat|Broken pipe|Connection (reset|closed)|queue manager/i;

/** What `condor_submit -terse` means: `12.0 - 12.4`. */
export function parseCondorSubmit(result: {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): CondorSubmitAnswer {
  const [, cluster, last] = /^(\d+)\.0 - \1\.(\d+)$/m.exec(result.stdout) ?? [];
  if (result.code === 0 && cluster !== undefined) return { type: "accepted", cluster, jobs: Number(last) + 1 };
  const sayings = sayingsOf(result.stderr);
  const words = sayings.join("; ");
  if (result.code === 0 || result.code === null || words === "") return { type: "ambiguous", words };
  if (LIMITS.test(words) || UNREACHABLE.test(words)) return { type: "postponed", words };
  const isUnclear = NO_ANSWER.test(words) || sayings.every((said) => NOT_COMMITTED.test(said));
  return { type: isUnclear ? "ambiguous" : "refused", words };
}

/** HTCondor's own words. */
function sayingsOf(stderr: string): readonly string[] {
  return stderr
    .split("\n")
    .map((line) => line.replace(/^ERROR: /, "").trim())
    .filter((line) => line !== "")
    .map((line) => {
      const meaning = MEANINGS.find(([words]) => words.test(line))?.[1];
      return meaning === undefined ? line : `${line} (${meaning})`;
    });
}
