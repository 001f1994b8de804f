import type { Ask } from "@wf/transport";

/** What a plan is made for, and with what. */
export interface PlanOptions {
  /** Parameters of the workflow; what is not named has its default. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Inputs of the workflow: a path, relative to the working directory, or `model:NAME@VERSION`. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** A site of the project's `sites.yaml`. Default: `local`. */
  readonly site?: string;
  /** How many tasks of a stage share one job at most. Default: what the site says. */
  readonly tasksPerJob?: number;
  /** False: every task runs, whatever earlier runs have made. Default: true. */
  readonly cache?: boolean;
  /** The folder of the store. Default: WF_STORE, else `.wf` in the workflow's project. */
  readonly store?: string;
  /** Asks a person for passphrases and one-time codes of a site. Default: nobody is asked, and such a login fails. */
  readonly ask?: Ask;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
}

export interface RunOptions extends PlanOptions {
  /** Goes on with what does not depend on a failed task. Default: false. */
  readonly keepGoing?: boolean;
  /** Tries failed tasks so many times more, whatever they declare. Default: 0. */
  readonly retries?: number;
  /** A folder for copies of the outputs. Default: `runs/RUN/outputs` in the store. */
  readonly outputs?: string;
  /** Jobs of the site's scheduler that have to end well before anything of the run starts. */
  readonly after?: readonly string[];
}

/** What is not said stays as the run was started with. */
export interface ResumeOptions
  extends Pick<RunOptions, "keepGoing" | "retries" | "outputs" | "store" | "ask" | "signal"> {
  /** A folder of the project. Default: the working directory. */
  readonly project?: string;
}
