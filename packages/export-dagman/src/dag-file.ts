export interface DagNode {
  readonly name: string;
  /** The submit description, in the same folder. */
  readonly description: string;
  readonly parents: readonly string[];
  /** How often it is tried again. */
  readonly retries: number;
  readonly priority: number;
}

export interface DagToWrite {
  readonly workflow: string;
  readonly nodes: readonly DagNode[];
  /** Runs at the end, whatever has happened. */
  readonly final: { readonly name: string; readonly description: string };
  /** Where DAGMan notes how far it is, for programs that watch it. */
  readonly statusFile: string;
  /** Settings of DAGMan for this DAG alone. */
  readonly configFile: string;
}

/** A node ends with this status when to try it again would be in vain. */
const EXIT_FOR_GOOD = 65;

const STATUS_SECONDS = 30;

export function dagFile({ workflow, nodes, final, statusFile, configFile }: DagToWrite): string {
  return `${[
    `# ${workflow}: made by wf export dagman. README says what to type.`,
    `CONFIG ${configFile}`,
    `NODE_STATUS_FILE ${statusFile} ${STATUS_SECONDS}`,
    "",
    ...nodes.map(({ name, description }) => `JOB ${name} ${description}`),
    `FINAL ${final.name} ${final.description}`,
    "",
    'VARS ALL_NODES node="$(JOB)"',
    ...nodes.filter(({ retries }) => retries > 0).map(retryLine),
    ...nodes.filter(({ priority }) => priority > 0).map(({ name, priority }) => `PRIORITY ${name} ${priority}`),
    "",
    ...nodes
      .filter(({ parents }) => parents.length > 0)
      .map(({ name, parents }) => `PARENT ${parents.join(" ")} CHILD ${name}`),
  ]
    .join("\n")
    .trimEnd()}\n`;
}

function retryLine({ name, retries }: DagNode): string {
  return `RETRY ${name} ${retries} UNLESS-EXIT ${EXIT_FOR_GOOD}`;
}
