import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readPythonProject } from "./python-project.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wf-python-project-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const wishOf = (requirements: readonly string[], requiresPython: string | null = null) => ({
  requirements,
  requiresPython,
  project: folder,
});

test("a folder of modules requires nothing", () => {
  write({ "look.py": "", "src/other.py": "" });
  expect(readPythonProject(folder)).toEqual({ code: folder, wish: null });
});

test("a packaged project has its code in src, and says what it requires in any order", () => {
  const project = '[project]\nname = "p"\nrequires-python = ">=3.9"\ndependencies = ["torch>=1.13", " numpy "]\n';
  write({ "pyproject.toml": project, "src/p/__init__.py": "" });
  expect(readPythonProject(folder)).toEqual({
    code: join(folder, "src"),
    wish: wishOf(["numpy", "torch>=1.13"], ">=3.9"),
  });
});

test("without src the project itself is the code; what pyproject.toml leaves open stands in requirements.txt", () => {
  write({
    "pyproject.toml": '[project]\nname = "p"\ndynamic = ["dependencies"]\nrequires-python = ">=3.9"\n',
    "requirements.txt":
      "# what we need\nnumpy>=1.21,\\\n  <3  # not four\n\n-r more/others.txt\n--find-links ./wheels\n",
    "more/others.txt": "six # and\n-r deep.txt\r\n",
    "more/deep.txt": "a @ https://example.org/a.whl#sha256=1\n",
  });
  expect(readPythonProject(folder)).toEqual({
    code: folder,
    wish: wishOf(
      ["--find-links ./wheels", "a @ https://example.org/a.whl#sha256=1", "numpy>=1.21, <3", "six"],
      ">=3.9",
    ),
  });
});

test("tools in pyproject.toml are none of wf's business", () => {
  write({ "pyproject.toml": "[tool.ruff]\nline-length = 100\n" });
  expect(readPythonProject(folder).wish).toBeNull();
});

test.each([
  ["no TOML", { "pyproject.toml": "[project]\nname = \n" }, /cannot be used/, /pyproject\.toml:2$/],
  ["a list that is none", { "pyproject.toml": '[project]\ndependencies = "a"\n' }, /project\.dependencies/, /toml$/],
  ["poetry's alone", { "pyproject.toml": '[tool.poetry.dependencies]\na = "^1"\n' }, /for poetry/, /toml$/],
  ["the project itself", { "requirements.txt": "a\n\n-e .\n" }, /"-e \." cannot be prepared/, /txt:3$/],
  ["a constraint", { "requirements.txt": "-c limits.txt\n" }, /"-c limits\.txt"/, /txt:1$/],
  ["a missing file", { "requirements.txt": "-r none.txt\n" }, /none\.txt cannot be read/, /requirements\.txt$/],
  ["a circle", { "requirements.txt": "-r b.txt\n", "b.txt": "-r requirements.txt\n" }, /includes itself/, /b\.txt:1$/],
])("requirements that are %s are refused with their place", (_, files, message, where) => {
  write(files);
  const refused = { code: "WF_RUNTIME_INVALID", message: expect.stringMatching(message) };
  expect(() => readPythonProject(folder)).toThrow(
    expect.objectContaining({ ...refused, where: expect.stringMatching(where) }),
  );
});
