import { describe, expect, test } from "vitest";
import { recording, VERSIONS } from "../testing/recording.ts";
import { parseConfig } from "./parse-config.ts";
import { parseNodes } from "./parse-nodes.ts";
import { parsePartitions } from "./parse-partitions.ts";
import { scontrolFields } from "./parse-scontrol.ts";
import { parseSinfo } from "./parse-sinfo.ts";

describe.each(VERSIONS)("%s", (version) => {
  test("partitions and their limits", () => {
    const partitions = parsePartitions(recording(version, "scontrol-show-partition-o").stdout);
    expect(partitions.map(({ name, isDefault, maxTimeSeconds }) => [name, isDefault, maxTimeSeconds])).toEqual([
      ["main", true, 86_400],
      ["gpu", false, 86_400],
      ["short", false, 60],
    ]);
    expect(partitions[1]).toEqual({
      name: "gpu",
      isDefault: false,
      isUp: true,
      maxTimeSeconds: 86_400,
      defaultTimeSeconds: 600,
      maxNodes: Number.POSITIVE_INFINITY,
      maxCpusPerNode: Number.POSITIVE_INFINITY,
      maxMemoryPerNodeBytes: Number.POSITIVE_INFINITY,
      totalNodes: 2,
      totalCpus: 16,
      nodes: "g[1-2]",
      accounts: null,
    });
  });

  test("nodes and what they have", () => {
    const nodes = parseNodes(recording(version, "scontrol-show-node-o").stdout);
    expect(nodes).toHaveLength(4);
    expect(nodes[2]).toEqual({
      name: "g1",
      cpus: 8,
      memoryBytes: 8000 * 2 ** 20,
      gpus: new Map([["a100", 2]]),
      features: ["g", "g1"],
      partitions: ["main", "gpu"],
      state: "IDLE",
      isUsable: true,
      reason: "",
    });
  });

  test("the configuration", () => {
    expect(parseConfig(recording(version, "scontrol-show-config").stdout)).toMatchObject({
      version: expect.stringMatching(/^2[24]\.\d\d\.\d$/),
      maxArraySize: 1001,
      minJobAgeSeconds: 1200,
      killWaitSeconds: 2,
      hasAccounting: true,
    });
  });

  test("how busy the partitions are, with a node that was lost", () => {
    const rows = parseSinfo(recording(version, "sinfo.lost.parts").stdout);
    expect(rows.find(({ partition, state }) => partition === "main" && state === "down*")).toEqual({
      partition: "main",
      isDefault: true,
      isUp: true,
      maxTimeSeconds: 86_400,
      nodes: 1,
      state: "down*",
      cpus: { allocated: 0, idle: 0, other: 8, total: 8 },
    });
  });
});

test("a value may hold spaces, and equal signs of its own", () => {
  expect([
    ...scontrolFields("NodeName=c2 OS=Linux 6.1 #1 SMP CfgTRES=cpu=8,mem=1M Reason=disk full, wait [root@x]"),
  ]).toEqual([
    ["NodeName", "c2"],
    ["OS", "Linux 6.1 #1 SMP"],
    ["CfgTRES", "cpu=8,mem=1M"],
    ["Reason", "disk full, wait [root@x]"],
  ]);
});

test.each([
  ["gpu:a100:2", [["a100", 2]]],
  ["gpu:4", [["", 4]]],
  [
    "gpu:a100:2(S:0-1),gpu:v100:1,shard:8",
    [
      ["a100", 2],
      ["v100", 1],
    ],
  ],
  ["(null)", []],
])("GPUs of %s", (gres, gpus) => {
  expect([...(parseNodes(`NodeName=n Gres=${gres} State=IDLE`)[0]?.gpus ?? [])]).toEqual(gpus);
});

test.each(["DOWN", "DOWN*", "IDLE+DRAIN", "MIXED+DRAIN", "DOWN+DRAIN", "IDLE*"])(
  "a node that is %s takes no job",
  (state) => {
    expect(parseNodes(`NodeName=n State=${state}`)[0]?.isUsable).toBe(false);
  },
);

test("what a configuration does not say is as it comes from the maker", () => {
  expect(parseConfig("")).toMatchObject({
    maxArraySize: 1001,
    maxJobCount: 10_000,
    minJobAgeSeconds: 300,
    hasAccounting: false,
  });
});
