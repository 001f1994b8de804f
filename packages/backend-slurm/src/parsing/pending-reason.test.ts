import { expect, test } from "vitest";
import { classifyReason } from "./pending-reason.ts";

test.each([
  ["None", "resources"],
  ["Resources", "resources"],
  ["Priority", "resources"],
  ["Licenses", "resources"],
  ["AssocMaxJobsLimit", "limits"],
  ["AssocGrpCpuLimit", "limits"],
  ["QOSMaxCpuPerUserLimit", "limits"],
  ["QOSGrpGRES", "limits"],
  ["MaxJobsPerAccount", "limits"],
  ["JobArrayTaskLimit", "limits"],
  ["PartitionDown", "nodes"],
  ["ReqNodeNotAvail, UnavailableNodes:c1", "nodes"],
  ["ReqNodeNotAvail, May be reserved for other job", "nodes"],
  ["Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions", "nodes"],
  ["BeginTime", "later"],
  ["Dependency", "later"],
  ["JobHeldUser", "held"],
  ["JobHeldAdmin", "held"],
  ["job requeued in held state", "held"],
  ["launch failed requeued held", "held"],
  ["DependencyNeverSatisfied", "never"],
  ["PartitionConfig", "never"],
  ["PartitionTimeLimit", "never"],
  ["PartitionNodeLimit", "never"],
  ["BadConstraints", "never"],
  ["MaxMemPerLimit", "never"],
  ["QOSMaxWallDurationPerJobLimit", "never"],
  ["AssocMaxCpuPerJobLimit", "never"],
  ["QOSMaxGRESPerNode", "never"],
  ["Job's account not permitted to use this partition (short allows root not lab)", "never"],
  ["SomethingNew", "unknown"],
])("%s: %s", (reason, waiting) => {
  expect(classifyReason(reason)).toBe(waiting);
});
