import type { Benchmark } from "./benchmark.ts";
import { cached } from "./cached.ts";
import { chain } from "./chain.ts";
import { condorArray } from "./condor-array.ts";
import { condorCalls } from "./condor-calls.ts";
import { condorClustered } from "./condor-clustered.ts";
import { condorLatency } from "./condor-latency.ts";
import { condorPeers } from "./condor-peers.ts";
import { histories } from "./histories.ts";
import { images } from "./images.ts";
import { lungOverhead } from "./lung-overhead.ts";
import { peers } from "./peers.ts";
import { plan } from "./plan.ts";
import { slurmArray } from "./slurm-array.ts";
import { slurmCalls } from "./slurm-calls.ts";
import { slurmClustered } from "./slurm-clustered.ts";
import { slurmLatency } from "./slurm-latency.ts";
import { slurmPeers } from "./slurm-peers.ts";
import { startup } from "./startup.ts";
import { throughput } from "./throughput.ts";
import { trials } from "./trials.ts";
import { upload } from "./upload.ts";

/** All benchmarks, from the quickest to the slowest. */
export const BENCHMARKS: readonly Benchmark[] = [
  startup,
  trials,
  upload,
  chain,
  plan,
  throughput,
  cached,
  histories,
  slurmLatency,
  slurmCalls,
  slurmClustered,
  slurmArray,
  condorLatency,
  condorCalls,
  condorClustered,
  condorArray,
  lungOverhead,
  images,
  peers,
  slurmPeers,
  condorPeers,
];
