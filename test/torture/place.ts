import type { Weights } from "./disturbance.ts";
import type { ShapeLimits } from "./workflow-shape.ts";

export const PLACES = ["local", "slurm", "htcondor"] as const;
export type PlaceName = (typeof PLACES)[number];

/** A kind of site with all that can be done to it from outside. */
export interface Place {
  readonly name: PlaceName;
  /** Where rounds make their folders: all that runs tasks sees it. */
  readonly parent: string;
  readonly limits: ShapeLimits;
  readonly weights: Weights;
  /** How long tasks take, for `sleep`. */
  readonly pauses: readonly string[];
  /** A site of `sites.yaml` with this storage. The local one has that of the project. */
  site(storage: string): object;
  readonly daemons: readonly string[];
  /** Kills it and brings it back. */
  killDaemon(name: string): Promise<void>;
  /** Ends the connections that there are. Returns how many. */
  cut(): number;
  /** What the scheduler still has of jobs. */
  queued(): readonly string[];
  close(): Promise<void>;
}
