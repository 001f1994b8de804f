import { addSite, parseSites } from "@wf/site";
import { expect, test } from "vitest";
import { draftPool } from "./draft-pool.ts";
import type { PoolSurvey } from "./survey-site.ts";

const slot = (machine: string, fileSystemDomain: string | null, gpus = 0) => ({
  machine,
  cpus: 64,
  memoryBytes: 256 * 2 ** 30,
  gpus,
  fileSystemDomain,
});
const POOL: PoolSurvey = {
  user: "me",
  needsProfile: false,
  hasModules: false,
  pythons: [{ name: "python3", path: "/usr/bin/python3", version: "3.9.16" }],
  folders: [
    {
      path: "/home/me",
      isWritable: true,
      fileSystem: "ext4",
      looksShared: false,
      freeBytes: 5e12,
      freeFiles: 1e9,
    },
  ],
  htcondor: {
    version: "23.9.6",
    slots: [slot("a", "a.lab"), slot("b", "b.lab", 4)],
    fileSystemDomain: "submit.lab",
    maxJobs: 500,
    maxJobsPerSubmission: 20_000,
  },
};

const draft = (changes: Partial<PoolSurvey["htcondor"]> = {}) =>
  addSite(
    "sites: {}\n",
    "sites.yaml",
    draftPool({ name: "pool", host: "condor", survey: { ...POOL, htcondor: { ...POOL.htcondor, ...changes } } }),
  );
const read = (text: string) => parseSites(text, "sites.yaml").get("pool");

test("a pool whose machines share nothing", () => {
  expect(draft()).toBe(`sites:
  # HTCondor 23.9.6, 2 machines. Written by \`wf sites add\`; change what does not suit you.
  pool:
    backend: htcondor
    host: condor
    storage: /home/me/wf # ext4, 5.00 TB free
    placement: transfer # 0 of 2 machines share files with the submit host
    htcondor:
      largest:
        # what one job may ask for
        cpus: 64
        memory: 256GiB
        gpus: 4
      limits:
        jobs: 500
        perSubmission: 1000
      # accountingGroup: group_name.user # where the pool asks for one
      # requirements: OpSysMajorVer >= 9 # which machines may be used
`);
});

test("a pool whose machines say that they share files: a storage that does not look so is doubted", () => {
  const shared = draft({ fileSystemDomain: "lab", slots: [slot("a", "lab"), slot("b", "lab")] });
  expect(read(shared)?.placement).toBe("shared");
  expect(shared).toContain("do all machines see it?");
});

test("a pool without machines says nothing of their size", () => {
  expect(read(draft({ slots: [] }))).toMatchObject({ placement: "transfer", htcondor: { largest: { gpus: 0 } } });
});
