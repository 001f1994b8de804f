/** What `wf export dagman` writes and refuses. `test/pool/dagman.test.ts` runs what it writes. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectError, makeProject, type Project } from "./wf-project.ts";

const SITES = {
  pool: { backend: "htcondor", storage: "/shared/wf" },
  apart: { backend: "htcondor", storage: "/shared/wf", placement: "transfer" },
};

const WORKFLOW = `import { file, fn, json, secret, task, workflow, z } from "wf";
const numbers = fn({ name: "numbers", params: z.object({ count: z.number() }), outputs: { all: json(z.array(z.number())) },
  run: ({ params }) => ({ all: Array.from({ length: params.count }, (_, index) => index) }) });
const show = task({ name: "show", params: z.object({ n: z.number() }), outputs: { text: file("txt") },
  env: { TOKEN: secret("HUB_TOKEN") },
  command: ({ params, outputs }) => ["sh", "-c", 'echo "$1" > "$2"', "sh", params.n, outputs.text] });
const count = task({ name: "count", inputs: { text: file("txt") }, outputs: { all: json(z.array(z.number())) },
  command: ({ inputs, outputs }) => ["sh", "-c", 'echo "[1, 2]" > "$1"', "sh", outputs.all, inputs.text] });
export default workflow({
  name: "shown",
  params: z.object({ count: z.number().default(2), grows: z.boolean().default(false) }),
  build({ params }) {
    const texts = numbers({}, { count: params.count }).all.items().map((n) => show({}, { n }).text);
    if (!params.grows) return { texts };
    const more = count({ text: show({}, { n: 9 }, { as: "last" }).text });
    return { texts, more: more.all.items().map((n) => show({}, { n }, { as: "more" }).text) };
  },
});
`;

function newProject(): Project {
  return makeProject({ "workflow.ts": WORKFLOW, "sites.yaml": JSON.stringify({ sites: SITES }) });
}

const exporting = (...more: readonly string[]) => ["export", "dagman", "workflow.ts", "--json", ...more];
const TO_POOL = ["--site", "pool", "--output", "dag"];

test("all that a DAG needs goes into one folder, but no secret", async () => {
  const project = newProject();
  const { exitCode, events, stderr } = await project.wf(exporting(...TO_POOL, "--retries", "3"), {
    env: { HUB_TOKEN: "hush hush" },
  });
  expect(exitCode, stderr).toBe(0);
  const folder = project.path("dag");
  expect(events.at(-1)).toMatchObject({ type: "exported", folder, tasks: 2, called: 1, secrets: ["HUB_TOKEN"] });
  expect(readdirSync(folder).sort()).toEqual(
    ["README", "dagman.config", "gather.json", "gather.sub", "logs", "node.sh", "nodes", "shown.dag", "stages"].concat(
      "wf-launcher.pyz",
    ),
  );
  expect(project.read("dag/shown.dag")).toContain("RETRY show_1 3 UNLESS-EXIT 65\n");
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), "latin1");
    expect(text, entry.name).not.toContain("hush hush");
    if (entry.name !== "wf-launcher.pyz") expect(text, entry.name).not.toContain(project.folder);
  }
});

test("what is not static is refused with its reasons, unless the static part is asked for", async () => {
  const project = newProject();
  const grows = ["-p", "grows=true", ...TO_POOL];
  expectError(await project.wf(exporting(...grows)), "WF_EXPORT_DYNAMIC", {
    says: /^1 stages depend .*\nmore: how many tasks there are is known when count has run$/,
    next: /--static-part exports the other 4 tasks/,
  });
  expect(existsSync(project.path("dag"))).toBe(false);
  const { exitCode, events } = await project.wf(exporting(...grows, "--static-part"));
  expect(exitCode).toBe(0);
  expect(events.at(-1)).toMatchObject({ tasks: 4, missing: [{ name: "more", because: "count" }] });
  const { outputs } = JSON.parse(project.read("dag/gather.json"));
  expect(Object.keys(outputs)).toEqual(["texts", "tasks/count/all"]);
});

test("results of earlier runs go with it", async () => {
  const project = newProject();
  const env = { HUB_TOKEN: "hush hush" };
  expect(await project.wf(["run", "workflow.ts", "--quiet"], { env })).toMatchObject({ exitCode: 0 });
  expectError(await project.wf(exporting(...TO_POOL)), "WF_USAGE", {
    says: /nothing is left to run/,
    next: /--no-cache exports every task/,
  });
  const { events } = await project.wf(exporting(...TO_POOL, "-p", "count=3"));
  expect(events.at(-1)).toMatchObject({ tasks: 1, reused: 2, objects: 2 });
});

test("a folder that is there, and a site that cannot run it, are refused", async () => {
  const project = newProject();
  project.write("dag/mine.txt", "keep me");
  expectError(await project.wf(exporting(...TO_POOL)), "WF_USAGE", {
    says: /dag is there already$/,
    where: /^--output dag$/,
    next: /name a new folder/,
  });
  expect(project.read("dag/mine.txt")).toBe("keep me");
  expectError(await project.wf(exporting("--output", "new")), "WF_USAGE", {
    says: /the site "local" is no HTCondor pool/,
    next: /--site/,
  });
  expectError(await project.wf(exporting("--output", "new", "--site", "apart")), "WF_USAGE", {
    says: /needs a folder that all machines see/,
    where: /^placement: transfer$/,
    next: /placement: shared/,
  });
  expectError(await project.wf(exporting("--site", "pool")), "WF_USAGE", {
    says: /no folder is named/,
    next: /--output/,
  });
});
