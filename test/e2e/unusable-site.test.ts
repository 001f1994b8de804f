/** A cluster that cannot be used: the run says why, is stored as failed, and can be resumed once that is mended. */
import { expect, it } from "vitest";
import { makeProject } from "./wf-project.ts";

const WORKFLOW = `
import { file, task, workflow } from "wf";

const made = task({ name: "made", outputs: { text: file() }, command: ({ outputs }) => ["touch", outputs.text] });

export default workflow({ name: "small", build: () => ({ text: made({}).text }) });
`;

it.each([
  ["a storage below a file", "storage: /etc/passwd/wf", "WF_SITE_FILE", "/etc/passwd/wf"],
  ["a storage that nobody may write", "storage: /sys/wf", "WF_SITE_FILE", "/sys/wf"],
  [
    "a home on a machine that does not answer",
    "host: ssh://me@127.0.0.1:9, storage: ~/wf",
    "WF_SSH_UNREACHABLE",
    "127.0.0.1:9",
  ],
])("%s", async (_what, settings, code, where) => {
  const sites = `sites: { cluster: { backend: slurm, ${settings} } }\n`;
  const project = makeProject({ "small.ts": WORKFLOW, "sites.yaml": sites });
  const { exitCode, stderr } = await project.wf(["run", "small.ts", "--site", "cluster"]);
  expect(stderr).toContain(`error[${code}]`);
  expect(stderr).toContain(where);
  expect(stderr).toMatch(/^ {2}next: /m);
  expect(exitCode).toBe(4);
  expect(project.ask("SELECT status FROM run")).toBe("failed");
  expect((await project.wf(["resume"])).stderr).toContain(`error[${code}]`);
});
