import type { CondorPool } from "../../clusters/condor-cluster.ts";
import type { BenchProject } from "../measured-run.ts";
import { napsAt } from "../naps/naps.ts";
import { writableFolder } from "./bench-pool.ts";

/** On the submit host of the pool, whose jobs see the storage. */
export function napsOn({ folder }: CondorPool): BenchProject {
  return napsAt(`{ backend: htcondor, storage: ${writableFolder(folder)}, python: /usr/bin/python3 }`);
}

/** The same where they do not, and HTCondor brings everything. */
export function sentNapsOn({ hidden }: CondorPool): BenchProject {
  const storage = writableFolder(hidden);
  return napsAt(`{ backend: htcondor, storage: ${storage}, placement: transfer, python: /usr/bin/python3 }`);
}
