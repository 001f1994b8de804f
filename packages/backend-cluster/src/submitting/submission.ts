import type { JobSpec } from "@wf/protocol";

/** What a job asks of the scheduler, or why it could never run on the site. */
export type Fit<Request> =
  | { readonly type: "fits"; readonly request: Request }
  | { readonly type: "none"; readonly message: string };

/** What is handed to the scheduler at once: a job, or several that ask for the same. */
export interface Submission<Request> {
  /** The same jobs on the same storage have the same one, so that who submits them again is known. */
  readonly token: string;
  /** What the scheduler knows it by. */
  readonly name: string;
  /** By index. Values of secrets are not in them. */
  readonly jobs: readonly JobSpec[];
  readonly request: Request;
  readonly secrets: Readonly<Record<string, string>>;
}
