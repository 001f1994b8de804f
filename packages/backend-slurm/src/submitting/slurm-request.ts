import type { Fit } from "@wf/backend-cluster";
import type { JobSpec } from "@wf/protocol";
import type { SlurmPartition } from "@wf/site";
import { choosePartition } from "./choose-partition.ts";
import { type JobRequest, requestOf } from "./job-request.ts";

/** What a job asks for, and where. Jobs that agree in it may share an array. */
export interface SlurmRequest {
  readonly request: JobRequest;
  readonly partition: SlurmPartition | null;
}

export function fitPartition(job: JobSpec, partitions: readonly SlurmPartition[]): Fit<SlurmRequest> {
  const request = requestOf(job);
  const choice = choosePartition(request, partitions);
  return choice.type === "none" ? choice : { type: "fits", request: { request, partition: choice.partition } };
}
