import { LOCAL_SITE } from "@wf/site";
import { localTransport } from "@wf/transport";
import { afterAll, beforeAll, expect, it } from "vitest";
import { queuedJobs } from "./queued-jobs.ts";

const transport = localTransport();
const { signal } = new AbortController();
const before = { SLURM_CONF: process.env.SLURM_CONF, CONDOR_CONFIG: process.env.CONDOR_CONFIG };
beforeAll(() => {
  Object.assign(process.env, { SLURM_CONF: "/dev/null", CONDOR_CONFIG: "/dev/null" });
});
afterAll(async () => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await transport.close();
});

it.each(["slurm", "htcondor"] as const)(
  "%s that does not answer, or is not there: an error, not an empty queue",
  async (backend) => {
    await expect(queuedJobs({ ...LOCAL_SITE, name: "cluster", backend }, transport, signal)).rejects.toMatchObject({
      code: "WF_SITE_COMMAND",
      hint: expect.stringContaining("wf doctor --site cluster"),
    });
  },
);
