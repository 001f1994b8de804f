import { WfError } from "@wf/protocol";

const TRIES = 5;

/** Does something that may be done twice: it is done again where the connection was cut under it. */
export async function againIfLost<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConnectionLost(error) || tries === TRIES || signal.aborted) throw error;
    }
  }
}

/** The connection was cut: the next use of the transport makes another one. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof WfError && error.code === "WF_SSH_LOST";
}
