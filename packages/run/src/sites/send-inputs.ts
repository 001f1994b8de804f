import type { RefusedJob } from "@wf/backend-cluster";
import { type ErrorCode, type JobSpec, type Value, WfError } from "@wf/protocol";

const OF_ONE_OBJECT: ReadonlySet<ErrorCode> = new Set([
  "WF_ARTIFACT_MISSING",
  "WF_ARTIFACT_INVALID",
  "WF_PATH_ESCAPE",
  "WF_SITE_CHECKSUM",
]);

/** One object is gone, damaged or not to be followed. Whatever else goes wrong concerns all jobs. */
export function isOfOneObject(error: unknown): error is WfError {
  return error instanceof WfError && OF_ONE_OBJECT.has(error.code);
}

/**
 * Sends what jobs read, and returns those of which something cannot be read here: the others can go. Where something is
 * wrong, the half that it is in is sent by halves, so that a damaged file costs few calls among many.
 */
export async function sendInputs(
  jobs: readonly JobSpec[],
  send: (values: readonly Value[]) => Promise<unknown>,
): Promise<readonly RefusedJob[]> {
  if (jobs.length === 0) return [];
  try {
    await send(jobs.flatMap(({ tasks }) => tasks.flatMap(({ inputs }) => inputs.map(({ value }) => value))));
    return [];
  } catch (error) {
    if (!isOfOneObject(error)) throw error;
    const [job] = jobs as [JobSpec];
    if (jobs.length === 1) return [{ job, failure: { class: "stage-in", message: await whyUnsent(job, send, error) } }];
    const middle = Math.ceil(jobs.length / 2);
    return [...(await sendInputs(jobs.slice(0, middle), send)), ...(await sendInputs(jobs.slice(middle), send))];
  }
}

/** Names the input. */
async function whyUnsent(
  { tasks }: JobSpec,
  send: (values: readonly Value[]) => Promise<unknown>,
  found: WfError,
): Promise<string> {
  for (const { name, value } of tasks.flatMap(({ inputs }) => inputs)) {
    try {
      await send([value]);
    } catch (error) {
      if (isOfOneObject(error)) return inWords(`input ${name} cannot be sent to the site`, error);
      throw error;
    }
  }
  return inWords("its inputs cannot be sent to the site", found);
}

export function inWords(what: string, { message, where, hint }: WfError): string {
  return [`${what}: ${message}`, ...(where === undefined ? [] : [`(${where})`]), ...(hint ? [hint] : [])].join(" ");
}
