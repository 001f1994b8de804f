import { inject } from "vitest";
import { ownCluster } from "../clusters/clusters-for-tests.ts";
import { type CondorPool, startCondor } from "../clusters/condor-cluster.ts";

/** Cases of a contract run side by side, each with a slot to itself. */
export const SLOTS = 4;

/** That of this worker, which nobody else uses meanwhile. */
export const found: CondorPool | null = await ownCluster(inject("condor"), (wish) =>
  startCondor({ ...wish, slots: SLOTS }),
);
