import { describe, expect, test } from "vitest";
import { recording, VERSIONS, type Version } from "../testing/recording.ts";
import { partitionCapacity } from "./partition-nodes.ts";
import { readSlurmSurvey, type SlurmAnswers, type SlurmSurvey } from "./survey-slurm.ts";

function surveyOf(answers: SlurmAnswers): SlurmSurvey {
  const survey = readSlurmSurvey(answers);
  if ("silence" in survey) throw new Error(survey.silence);
  return survey;
}

function answersOf(version: Version): SlurmAnswers {
  const answer = (name: string) => {
    const { code, stdout } = recording(version, name);
    return { code, text: stdout };
  };
  return {
    config: answer("scontrol-show-config"),
    partitions: answer("scontrol-show-partition-o"),
    nodes: answer("scontrol-show-node-o"),
    associations: {
      code: 0,
      text: `${recording("slurm-22.05", "sacctmgr-assoc.two-accounts").stdout}other|far||normal||\n`,
    },
    defaultAccount: { code: 0, text: "lab\n" },
  };
}

describe.each(VERSIONS)("%s", (version) => {
  const survey = surveyOf(answersOf(version));

  test("says what it is, and what its user may do there", () => {
    expect(survey.config.maxArraySize).toBe(1001);
    expect(survey.partitions.map(({ name }) => name)).toEqual(["main", "gpu", "short"]);
    expect(survey.defaultAccount).toBe("lab");
  });

  test("partitions are as large as their nodes", () => {
    const [main, gpu] = survey.partitions.map((partition) => partitionCapacity(partition, survey.nodes));
    expect(main).toEqual({
      nodes: 4,
      usableNodes: 4,
      cpusPerNode: 8,
      memoryPerNodeBytes: 8000 * 2 ** 20,
      gpusPerNode: 2,
      gres: "gpu:a100",
      isForGpus: false,
    });
    expect(gpu).toMatchObject({ nodes: 2, gpusPerNode: 2, gres: "gpu:a100", isForGpus: true });
  });
});

test("accounts of other clusters are not meant", () => {
  const config = { code: 0, text: "ClusterName = lab\n" };
  const survey = surveyOf({ ...answersOf("slurm-22.05"), config });
  expect(survey.associations.map(({ account }) => account)).toEqual(["bio", "lab"]);
});

test("a partition may allow less than its nodes have", () => {
  const survey = surveyOf({
    ...answersOf("slurm-22.05"),
    partitions: { code: 0, text: "PartitionName=main MaxCPUsPerNode=4 MaxMemPerNode=1000 MaxTime=UNLIMITED State=UP" },
  });
  const [main] = survey.partitions;
  expect(main && partitionCapacity(main, survey.nodes)).toMatchObject({
    cpusPerNode: 4,
    memoryPerNodeBytes: 1000 * 2 ** 20,
  });
});

test("a SLURM that does not answer is not surveyed; accounting that does not is done without", () => {
  const answers = answersOf("slurm-22.05");
  const away = { code: 1, text: "Connection refused" };
  expect(readSlurmSurvey({ ...answers, nodes: away })).toEqual({ silence: "Connection refused" });
  expect(readSlurmSurvey({ ...answers, associations: away, defaultAccount: away })).toMatchObject({
    associations: [],
    defaultAccount: null,
  });
});
