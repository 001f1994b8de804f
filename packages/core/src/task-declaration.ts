import type { Json, Launch } from "@wf/protocol";
import type { z } from "zod";
import type { Slot } from "./artifact-type.ts";
import type { CommandTemplate } from "./command.ts";
import type { Resources } from "./resources.ts";
import type { SourceLine } from "./source-line.ts";

/** Where a task's command runs. A site says what that means there; no task names a machine. */
export type Runtime =
  | { readonly kind: "command" }
  /** `project` is a folder, relative to the file that declares the task, which lies at `code/project/` in the sandbox. */
  | { readonly kind: "python"; readonly project: string }
  /** Small glue in TypeScript that runs beside the engine. `isOfBuild`: declared in build(), whose parameters it may use. */
  | { readonly kind: "fn"; readonly run: FnBody; readonly isOfBuild: boolean };

export type FnBody = (work: { inputs: Record<string, unknown>; params: Record<string, unknown> }) => unknown;

export type EnvValue = string | { readonly secret: string };

/** `content`: run again only when a part of the key changed. `never`: run again every time. */
export type CachePolicy = "content" | "never";

/** A task that can go on where an earlier try at it ended. */
export interface Resumable {
  /** The output, a file or a folder, that the command keeps up to date and goes on from where it is there. */
  readonly checkpoint: string;
  /** How long before its time is up the task is told, by SIGUSR2. Null: see docs/long-tasks.md. */
  readonly warnSeconds: number | null;
}

/** A task as its author declared it, checked and with every default filled in. */
export interface TaskDeclaration {
  readonly name: string;
  readonly inputs: { readonly [name: string]: Slot };
  readonly outputs: { readonly [name: string]: Slot };
  readonly params: z.ZodObject;
  readonly metrics: readonly string[];
  readonly resources: Resources;
  readonly runtime: Runtime;
  /** Null where the site starts the processes: with srun on SLURM, with the launcher elsewhere. */
  readonly launch: Launch | null;
  readonly command: CommandTemplate;
  /** Files and folders of the project that the command needs, relative to the declaring file. */
  readonly code: { readonly [name: string]: string };
  readonly env: { readonly [name: string]: EnvValue };
  readonly fits: boolean;
  readonly retries: number;
  readonly resumable: Resumable | undefined;
  readonly cache: CachePolicy;
  readonly version: Json;
  readonly at: SourceLine | undefined;
}
