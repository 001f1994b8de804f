/** Who may use the storage of a site: nobody but its owner, or the members of a group. Two people, on a real cluster. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { SlurmCluster } from "../clusters/slurm-cluster.ts";
import { WF_MAIN } from "../e2e/wf-program.ts";
import { finishOf, makeProject, type Project, type StartOptions } from "../e2e/wf-project.ts";
import { found } from "./own-cluster.ts";

const cluster = found as SlurmCluster;

const WORDS = `
import { each, file, task, workflow, z } from "wf";

const say = task({
  name: "say",
  params: z.object({ word: z.string() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["sh", "-c", 'echo "$1" > "$2"', "sh", params.word, outputs.text],
});
const shout = task({
  name: "shout",
  inputs: { text: file("txt") },
  outputs: { loud: file("txt") },
  command: ({ inputs, outputs }) => ["sh", "-c", 'tr a-z A-Z < "$1" > "$2"; chmod +x "$2"', "sh", inputs.text, outputs.loud],
});
export default workflow({
  name: "words",
  params: z.object({ words: z.array(z.string()) }),
  build: ({ params }) => ({ loud: each(params.words).map((word) => shout({ text: say({}, { word }).text })).loud }),
});
`;

describe.skipIf(found === null)("the storage of a site", () => {
  if (found === null) return;
  const id = (option: string, user: string) => Number(execFileSync("id", [option, user], { encoding: "utf8" }));
  const owner = { uid: id("-u", cluster.user), gid: id("-g", cluster.user) };
  const COLLEAGUE = 65_534;
  const as = (uid: number, gid: number) => ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  const canBeAnother =
    spawnSync("setpriv", [...as(COLLEAGUE, owner.gid).slice(1), process.execPath, WF_MAIN]).status === 0;
  const root = mkdtempSync(join(cluster.folder, "lab-"));
  chownSync(root, owner.uid, owner.gid);
  chmodSync(root, 0o755);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  /** Of somebody who reaches the cluster over ssh, as the owner; or of the colleague, who sits on the login node. */
  function projectFor(person: "owner" | "colleague", storage: string, settings: object): Project {
    const site = {
      backend: "slurm",
      storage,
      python: "/usr/bin/python3",
      slurm: { partitions: [{ name: "main" }], batchWindow: 0.05, poll: { every: 2, atMost: 5 } },
      ...(person === "owner" ? { host: "slurm", sshConfig: cluster.sshConfig } : {}),
      ...settings,
    };
    const project = makeProject({ "sites.yaml": JSON.stringify({ sites: { lab: site } }), "words.ts": WORDS });
    if (person === "colleague") chownSync(project.folder, COLLEAGUE, owner.gid);
    return project;
  }
  const colleague: StartOptions = { env: { SLURM_CONF: cluster.slurmConf }, through: as(COLLEAGUE, owner.gid) };
  const run = (project: Project, words: readonly string[], options?: StartOptions) =>
    project.wf(["run", "words.ts", "--site", "lab", "--json", "-p", `words=${JSON.stringify(words)}`], options);
  const canLook = (folder: string, uid: number, gid: number) => {
    const [program, ...words] = as(uid, gid) as [string, ...string[]];
    return spawnSync(program, [...words, "ls", folder]).status === 0;
  };

  it("is private where nobody is named", async () => {
    const storage = join(root, "private");
    const outcome = await run(projectFor("owner", storage, {}), ["one"]);
    expect(finishOf(outcome), `${outcome.stdout}${outcome.stderr}`).toMatchObject({ status: "succeeded" });
    expect(statSync(storage).mode & 0o7777).toBe(0o700);
    expect(canLook(storage, owner.uid, owner.gid)).toBe(true);
    expect(canLook(storage, COLLEAGUE, owner.gid)).toBe(false);
    expect(canLook(storage, COLLEAGUE, COLLEAGUE)).toBe(false);
  });

  it("serves two people with `share: group`, and nobody else", async ({ skip }) => {
    skip(!canBeAnother, "SKIPPED: another user needs setpriv and a checkout that others may read");
    // Where accounting does not know the user, which the cluster may know already.
    spawnSync("sacctmgr", ["-iQ", "add", "user", "nobody", "account=lab"], {
      env: { ...process.env, ...colleague.env },
    });
    const storage = join(root, "shared");
    const mine = projectFor("owner", storage, { share: "group" });
    const theirs = projectFor("colleague", storage, { share: "group" });
    for (const [project, words, options] of [
      [mine, ["one", "two"], undefined],
      [theirs, ["two", "three", "four"], colleague],
      [mine, ["one", "three", "five"], undefined],
    ] as const) {
      const outcome = await run(project, words, options);
      expect(finishOf(outcome), `${outcome.stdout}${outcome.stderr}`).toMatchObject({ status: "succeeded" });
    }
    expect(statSync(storage).mode & 0o7777).toBe(0o2770);
    expect(canLook(storage, COLLEAGUE, COLLEAGUE)).toBe(false);
    const owners = readdirSync(join(storage, "objects"), { recursive: true, encoding: "utf8" }).map(
      (name) => statSync(join(storage, "objects", name)).uid,
    );
    expect(new Set(owners)).toEqual(new Set([owner.uid, COLLEAGUE]));

    // So they trust each other: what one of them runs there, the other can change.
    const tools = statSync(join(storage, "tools"));
    expect([tools.uid, tools.mode & 0o7777]).toEqual([owner.uid, 0o2770]);

    const checked = await theirs.wf(["doctor", "--site", "lab", "--json"], colleague);
    const [health] = checked.events.filter(({ name }) => name === "storage");
    expect(health).toMatchObject({ health: "ok", says: expect.stringContaining("shared with its group") });
    const swept = await theirs.wf(["gc", "--site", "lab", "--json"], colleague);
    expect(swept.exitCode, swept.stderr).toBe(0);
  });
});
