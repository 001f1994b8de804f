/** SECURITY.md: each of its lines names tests that are there; and what it says is not prevented is shown here. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { finishOf, makeProject } from "./wf-project.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const LINES = readFileSync(join(ROOT, "SECURITY.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("- "));

interface NamedTest {
  readonly title: string;
  readonly file: string;
}

/** Links to pages explain; links to sources are tests. */
function testsNamedIn(line: string): NamedTest[] {
  const links = [...line.matchAll(/\[([^\]]+)\]\(([^)]+\.(?:ts|py))\)/g)];
  return links.map(([, title = "", file = ""]) => ({ title, file }));
}

function isThere({ title, file }: NamedTest): boolean {
  const path = join(ROOT, file);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, "utf8");
  return file.endsWith(".py")
    ? new RegExp(`^\\s*def ${title}\\(`, "m").test(text)
    : [`"${title}"`, `'${title}'`].some((quoted) => text.includes(quoted));
}

describe("SECURITY.md", () => {
  it("has lines", () => {
    expect(LINES.length).toBeGreaterThan(20);
  });

  it.each(LINES)("names tests that are there: %s", (line) => {
    const named = testsNamedIn(line);
    expect(named).not.toEqual([]);
    expect(named.filter((test) => !isThere(test))).toEqual([]);
  });

  it("would be found out", () => {
    expect(testsNamedIn("- Nothing happens. [a page](docs/README.md)")).toEqual([]);
    expect(isThere({ title: "no such test", file: "packages/run/src/project.test.ts" })).toBe(false);
    expect(isThere({ title: "test_no_such", file: "runtimes/launcher/tests/test_away.py" })).toBe(false);
    expect(isThere({ title: "refuses it: %s", file: "packages/run/src/nowhere.test.ts" })).toBe(false);
  });
});

describe("what is not prevented", () => {
  it("a workflow runs as the user when it is only looked at", async () => {
    const project = makeProject({
      "flow.ts": `import { writeFileSync } from "node:fs";
import { workflow } from "wf";
writeFileSync("ran", "");
export default workflow({ name: "flow", build: () => ({}) });
`,
    });
    expect((await project.wf(["graph", "flow.ts"])).exitCode).toBe(0);
    expect(existsSync(project.path("ran"))).toBe(true);
  });

  it("a task can read what the user can, wherever it lies", async () => {
    const project = makeProject({
      "diary.txt": "dear diary\n",
      "flow.ts": `import { file, task, workflow, z } from "wf";
const read = task({
  name: "read",
  params: z.object({ path: z.string() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => ["cp", params.path, outputs.text],
});
export default workflow({
  name: "flow",
  params: z.object({ path: z.string() }),
  build: ({ params }) => ({ text: read({}, params).text }),
});
`,
    });
    const outcome = await project.wf(["run", "flow.ts", "--json", "-p", `path=${project.path("diary.txt")}`]);
    expect(readFileSync(finishOf(outcome)?.outputs.text.path, "utf8")).toBe("dear diary\n");
  });
});
