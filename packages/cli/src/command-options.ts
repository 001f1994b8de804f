/** What the commander hands to each command, as `command-tree.ts` declares it. */
export interface GlobalOptions {
  /** The folder of the store. Default: WF_STORE, else `.wf` in the project. */
  readonly store?: string;
  readonly json?: boolean;
  /** False after `--no-color`. Terminals, NO_COLOR and FORCE_COLOR are asked elsewhere. */
  readonly color: boolean;
}

/** `-p NAME=VALUE` and `--params FILE`, unparsed. */
export interface ParamOptions extends GlobalOptions {
  readonly param: readonly string[];
  readonly params?: string;
}

/** What a plan is made for. */
export interface InputOptions extends ParamOptions {
  readonly site?: string;
  /** `-i NAME=PATH`, unparsed. */
  readonly input: readonly string[];
  /** False after `--no-cache`. */
  readonly cache: boolean;
  readonly cluster?: number;
}

export interface RunOptions extends InputOptions {
  /** `--after JOB`, unparsed. */
  readonly after: readonly string[];
  readonly outputs?: string;
  readonly keepGoing?: boolean;
  readonly failFast?: boolean;
  readonly retries?: number;
  readonly detach?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
}

export interface PlanOptions extends InputOptions {
  readonly save?: string;
  readonly all?: boolean;
}

export interface ExportOptions extends InputOptions {
  readonly output?: string;
  readonly staticPart?: boolean;
  readonly retries?: number;
}

export interface ResumeOptions extends GlobalOptions {
  readonly retries?: number;
  readonly detach?: boolean;
  readonly outputs?: string;
  readonly keepGoing?: boolean;
  readonly failFast?: boolean;
  readonly plain?: boolean;
  readonly quiet?: boolean;
}

export interface GraphOptions extends ParamOptions {
  readonly format?: "svg" | "mermaid" | "dot";
  readonly output?: string;
}

export type CheckOptions = ParamOptions;

export interface CancelOptions extends GlobalOptions {
  readonly drain?: boolean;
}

export interface RunsOptions extends GlobalOptions {
  readonly limit?: number;
  readonly workflow?: string;
  readonly status?: string;
}

export type AttachOptions = GlobalOptions;

export interface StatusOptions extends GlobalOptions {
  readonly follow?: boolean;
}

export interface LogsOptions extends GlobalOptions {
  readonly attempt?: number;
  readonly rank?: number;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly follow?: boolean;
}

export interface TraceOptions extends GlobalOptions {
  readonly series?: string;
}

export interface QueryOptions extends GlobalOptions {
  readonly format?: "table" | "csv" | "json";
}

export interface CompareOptions extends GlobalOptions {
  readonly stage?: string;
  readonly format?: "table" | "csv" | "json";
}

export interface ModelsOptions extends GlobalOptions {
  readonly export?: string;
  readonly tag?: string;
  readonly untag?: string;
  readonly remove?: boolean;
}

export interface GcOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly site?: string;
  readonly olderThan?: string;
  readonly keep?: number;
}

export interface RecheckOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly site?: string;
}

export interface VerifyOptions extends GlobalOptions {
  readonly all?: boolean;
  readonly site?: string;
}

export interface SitesOptions extends GlobalOptions {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly sshConfig?: string;
}

export interface DoctorOptions extends GlobalOptions {
  readonly site?: string;
  readonly job?: boolean;
}
