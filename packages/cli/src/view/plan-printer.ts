import type { PlanExpansion, PlanHeader, PlanJob, PlanLine, PlanStage, PlanTotals } from "@wf/planner";
import { parseTaskName } from "@wf/protocol";
import { formatBytes } from "../format/bytes.ts";
import type { Colours } from "../format/colour.ts";
import { counted, formatCount, listed } from "../format/count.ts";
import { formatProcesses } from "../format/processes.ts";
import { table } from "../format/table.ts";

export interface PlanPrinterOptions {
  /** Every job, not only the stages. */
  readonly showsAll: boolean;
  /** Null where the site does not say what it has. */
  readonly capacity: { readonly cpus: number; readonly memoryBytes: number; readonly gpus: number } | null;
  readonly columns: number | undefined;
}

/** The executable DAG for people: what runs, what is reused and why, stage by stage. Keeps stages, never tasks. */
export class PlanPrinter {
  readonly #header: PlanHeader;
  readonly #options: PlanPrinterOptions;
  readonly #colours: Colours;
  readonly #stages: PlanStage[] = [];
  readonly #expansions: PlanExpansion[] = [];
  readonly #auxiliary: PlanJob[] = [];
  #totals: PlanTotals | undefined;

  constructor(header: PlanHeader, options: PlanPrinterOptions, colours: Colours) {
    this.#header = header;
    this.#options = options;
    this.#colours = colours;
  }

  /** What can be printed at once. */
  line(line: PlanLine): string[] {
    switch (line.type) {
      case "plan":
        return [];
      case "job":
        if (line.kind !== "compute") this.#auxiliary.push(line);
        else if (this.#options.showsAll) return [this.#job(line)];
        return [];
      case "reuse":
        return this.#options.showsAll ? [this.#colours.dim(`reuse ${line.task}  from ${line.run} ${line.from}`)] : [];
      case "expansion":
        this.#expansions.push(line);
        return [];
      case "stage":
        this.#stages.push(line);
        return [];
      case "totals":
        this.#totals = line;
        return [];
    }
  }

  end(savedTo: string | undefined): string[] {
    const { bold, dim, yellow } = this.#colours;
    const { capacity, columns, showsAll } = this.#options;
    const { workflow, site, clustering, placement } = this.#header;
    const shares = clustering.strategy === "none" ? "one task a job" : `up to ${clustering.tasksPerJob} tasks a job`;
    const inputs = placement.find((set) => set.files === "inputs")?.how;
    return [
      ...(showsAll ? [""] : []),
      `${bold(workflow.name)} on ${bold(site)} ${dim(`(${capacity === null ? "" : `${capacityText(capacity)}; `}${shares}; inputs by ${inputs})`)}`,
      "",
      ...table(
        [
          { title: "stage" },
          { title: "run", align: "right" },
          { title: "reuse", align: "right", paint: dim },
          { title: "jobs", align: "right" },
          { title: "after", minWidth: 12, paint: dim },
          { title: "why", minWidth: 16 },
        ],
        this.#stages.map((stage) => this.#row(stage)),
        { width: columns, titlePaint: dim },
      ),
      ...this.#growth(),
      "",
      ...this.#auxiliary.map((job) => dim(`${job.kind.padEnd(10)} ${job.does ?? ""}`)),
      ...this.#stages.flatMap((stage) =>
        stage.carried.map((input) => `${stage.stage} carries ${input}: staged, declared unread`),
      ),
      ...this.#stages.flatMap((stage) => stage.warnings.map((warning) => yellow(`! ${warning}`))),
      "",
      this.#summary(),
      ...(savedTo === undefined ? [] : [`next  wf run ${savedTo}`]),
    ];
  }

  #row(stage: PlanStage): string[] {
    const grows = stage.growsAfter.length > 0 ? "+" : "";
    const why =
      stage.tasks === 0 && grows
        ? `known after ${listed([...new Set(stage.growsAfter.map(stageOf))])}`
        : stage.reasons.join("; ");
    return [
      stage.stage,
      stage.tasks === 0 && grows ? "?" : `${formatCount(stage.run)}${grows}`,
      stage.reuse === 0 ? "" : formatCount(stage.reuse),
      stage.jobs === 0 ? "" : formatCount(stage.jobs),
      stage.after.join(", "),
      why,
    ];
  }

  #growth(): string[] {
    if (this.#expansions.length === 0) return [];
    const words = { each: "a fan-out", when: "a condition", repeat: "a loop" } as const;
    const shown = this.#expansions.slice(0, 5).map(({ kind, because, stages }) => {
      return `  ${words[kind]} of ${listed(stages)} is decided when ${because} has run`;
    });
    const more = this.#expansions.length - shown.length;
    return [
      "",
      "the graph grows while it runs:",
      ...shown,
      ...(more > 0 ? [`  and ${counted(more, "more place")}`] : []),
    ];
  }

  #job({ job, tasks, resources }: PlanJob): string {
    const { dim } = this.#colours;
    const after = [...new Set(tasks.flatMap((task) => task.after))];
    const names = listed(
      tasks.slice(0, 3).map(({ task }) => task),
      tasks.length,
    );
    const processes = resources ? formatProcesses(resources) : "";
    const asks = `${processes === "" ? "" : `${processes} x `}${resources?.cpus} cpu`;
    return `${job}  ${names}${dim(`  ${asks}${after.length > 0 ? `  after ${listed(after.slice(0, 3), after.length)}` : ""}`)}`;
  }

  #summary(): string {
    const { bold } = this.#colours;
    const { tasks = 0, run = 0, reuse = 0, jobs = 0 } = this.#totals ?? {};
    const known = this.#expansions.length > 0 ? " known now" : "";
    const work = run === 0 ? "nothing to run" : `${formatCount(run)} to run in ${counted(jobs, "job")}`;
    return `${bold(counted(tasks, "task"))}${known}: ${work}, ${formatCount(reuse)} reused`;
  }
}

function stageOf(task: string): string {
  return parseTaskName(task)?.stage ?? task;
}

function capacityText({ cpus, memoryBytes, gpus }: NonNullable<PlanPrinterOptions["capacity"]>): string {
  return `${counted(cpus, "cpu")}, ${formatBytes(memoryBytes)}${gpus > 0 ? `, ${counted(gpus, "gpu")}` : ""}`;
}
