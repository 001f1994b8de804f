import { readSlurmSurvey, type SlurmAnswers } from "@wf/backend-slurm";
import { addSite, parseSites } from "@wf/site";
import { expect, test } from "vitest";
import { draftPartitions } from "./draft-partitions.ts";
import { type DraftRequest, draftSite } from "./draft-site.ts";
import type { ClusterSurvey } from "./survey-site.ts";

const answer = (text: string) => ({ code: 0, text });
const node = (name: string, partitions: string, more = "CPUTot=64 RealMemory=524288") =>
  `NodeName=${name} ${more} State=IDLE Partitions=${partitions}`;

const ANSWERS: SlurmAnswers = {
  config: answer("SLURM_VERSION = 24.11.5\nClusterName = lab\nMaxArraySize = 501\nMaxJobCount = 20000\n"),
  partitions: answer(
    [
      "PartitionName=a100 Default=NO MaxNodes=UNLIMITED MaxTime=2-00:00:00 State=UP",
      "PartitionName=long Default=NO MaxNodes=2 MaxTime=UNLIMITED State=UP",
      "PartitionName=std Default=YES MaxNodes=UNLIMITED MaxTime=12:00:00 State=UP",
      "PartitionName=old Default=NO MaxNodes=UNLIMITED MaxTime=12:00:00 State=DOWN",
      "PartitionName=vip Default=NO MaxNodes=UNLIMITED MaxTime=12:00:00 State=UP",
    ].join("\n"),
  ),
  nodes: answer(
    [
      node("n1", "std,long,vip"),
      node("n2", "std,long,vip"),
      node("n3", "std,old"),
      node("g1", "std,a100", "CPUTot=32 RealMemory=1048576 Gres=gpu:a100:4"),
    ].join("\n"),
  ),
  associations: answer("lab|physics||normal,high|normal|400\nlab|teaching||normal|normal|\n"),
  defaultAccount: answer("physics"),
};

function request(survey: Partial<ClusterSurvey> = {}): DraftRequest {
  const slurm = readSlurmSurvey(ANSWERS);
  if ("silence" in slurm) throw new Error(slurm.silence);
  return {
    name: "cluster",
    host: "ssh://me@login:22",
    partitions: draftPartitions(slurm),
    refused: new Map([["vip", "Invalid account"]]),
    survey: {
      user: "me",
      slurm,
      needsProfile: false,
      hasModules: false,
      pythons: [{ name: "python3", path: "/usr/bin/python3", version: "3.9.16" }],
      folders: [
        {
          path: "/scratch/me",
          isWritable: true,
          fileSystem: "lustre",
          looksShared: true,
          freeBytes: 5e12,
          freeFiles: 1e9,
        },
        { path: "/home/me", isWritable: true, fileSystem: "nfs4", looksShared: true, freeBytes: 5e10, freeFiles: 1e6 },
      ],
      ...survey,
    },
  };
}

const written = (draft: DraftRequest) => addSite("sites: {}\n", "sites.yaml", draftSite(draft));
const read = (draft: DraftRequest) => parseSites(written(draft), "sites.yaml").get("cluster");

test("a first version, as a person would write it", () => {
  expect(written(request())).toBe(`sites:
  # lab: SLURM 24.11.5, 4 nodes. Written by \`wf sites add\`; change what does not suit you.
  cluster:
    backend: slurm
    host: ssh://me@login:22
    storage: /scratch/me/wf # lustre, 5.00 TB free; or in /home/me
    slurm:
      account: physics # or teaching
      partitions:
        # a job goes to the first that it fits into
        - name: std
          maxTime: 12h
          maxNodes: 4
          cpusPerNode: 64
          memoryPerNode: 1024GiB
        - name: long
          maxNodes: 2
          cpusPerNode: 64
          memoryPerNode: 512GiB
        - name: a100
          maxTime: 2d
          maxNodes: 1
          cpusPerNode: 32
          memoryPerNode: 1024GiB
          gpusPerNode: 4
          gres: gpu:a100
      limits:
        jobs: 400
        arraySize: 500 # MaxArraySize less one
      # qos: normal # or high
      # left out: the partition vip (Invalid account)
`);
});

test("GPUs of a default partition are used where no other partition is made for them", () => {
  const { survey } = request();
  const partitions = survey.slurm.partitions.filter(({ name }) => name === "std");
  const drafted = draftPartitions({ ...survey.slurm, partitions });
  expect(drafted.map(({ settings }) => settings)).toMatchObject([{ name: "std", gpusPerNode: 4, gres: "gpu:a100" }]);
});

test("a cluster that hides its commands, and has an old python3 and modules", () => {
  const draft = request({
    needsProfile: true,
    hasModules: true,
    pythons: [
      { name: "python3", path: "/usr/bin/python3", version: "3.4.10" },
      { name: "python3.8", path: "/usr/bin/python3.8", version: "3.8.2" },
    ],
  });
  expect(read(draft)).toMatchObject({ prelude: ". /etc/profile", python: "python3.8" });
  expect(written(draft)).toContain("# setup: [module load python]");
});

test("the login node itself has no host, and a cluster without accounting no account", () => {
  const { survey, ...draft } = request();
  const slurm = { ...survey.slurm, associations: [], defaultAccount: null };
  const site = read({ ...draft, survey: { ...survey, slurm }, host: undefined });
  expect(site?.host).toBeUndefined();
  expect(site?.slurm?.account).toBeUndefined();
  expect(site?.slurm?.limits).toEqual({ jobs: 1000, arraySize: 500 });
});

test("a storage that may be seen by one machine alone, or has little room, says so", () => {
  const home = {
    path: "/home/me",
    isWritable: true,
    fileSystem: "ext4",
    looksShared: false,
    freeBytes: 1e9,
    freeFiles: 9,
  };
  expect(written(request({ folders: [home] }))).toContain("ext4, 1.00 GB free, which is little; do all nodes see it?");
});

test("where nothing can be written, there is nothing to add", () => {
  expect(() => draftSite(request({ folders: [] }))).toThrow("no folder can be written there");
});
