import { inject } from "vitest";
import { ownCluster } from "../clusters/clusters-for-tests.ts";
import { type SlurmCluster, startSlurm } from "../clusters/slurm-cluster.ts";

/** That of this worker, which nobody else uses meanwhile. */
export const found: SlurmCluster | null = await ownCluster(inject("slurm"), startSlurm);
