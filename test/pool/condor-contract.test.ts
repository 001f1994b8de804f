import { backendContract } from "@wf/backend/contract";
import { localTransport } from "@wf/transport";
import { afterAll, describe } from "vitest";
import { makeCondorHarness } from "./condor-harness.ts";
import { found as pool } from "./own-pool.ts";

describe.skipIf(pool === null)("from the submit host", () => {
  if (pool === null) return;
  process.env.PATH = `${pool.commands}:${process.env.PATH}`;
  const transport = localTransport({ budget: { commands: 10_000, everyMs: 60_000 } });
  afterAll(() => transport.close());
  backendContract("htcondor", makeCondorHarness(pool, transport, "shared"), {
    isConcurrent: true,
    skip: {
      "a secret in the environment reaches the task and no file of the run":
        "the tests are root, whose file with one half of it the user of the jobs may not read; over ssh they are one",
    },
  });
});
