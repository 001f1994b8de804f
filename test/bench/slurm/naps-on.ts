import type { SlurmCluster } from "../../clusters/slurm-cluster.ts";
import type { BenchProject } from "../measured-run.ts";
import { napsAt } from "../naps/naps.ts";
import { sharedFolder } from "./bench-cluster.ts";

/** On the cluster's login node. */
export function napsOn(cluster: SlurmCluster): BenchProject {
  return napsAt(`{ backend: slurm, storage: ${sharedFolder(cluster)}, python: /usr/bin/python3 }`);
}
