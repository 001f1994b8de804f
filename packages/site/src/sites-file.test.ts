import { WfError } from "@wf/core";
import { expect, test } from "vitest";
import { findSite, parseSites } from "./index.ts";

function mistake(text: string): WfError {
  try {
    parseSites(text, "sites.yaml");
  } catch (error) {
    if (error instanceof WfError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("this machine is always there, with every default", () => {
  for (const text of ["", "# nothing yet\n", "sites: {}"]) {
    expect(findSite(parseSites(text, "sites.yaml"), "local")).toEqual({
      name: "local",
      backend: "local",
      resources: {},
      clustering: { strategy: "none", tasksPerJob: 16, stages: {} },
      placement: "shared",
      env: {},
    });
  }
});

test("a file can say more about this machine and about others", () => {
  const sites = parseSites(
    `
sites:
  local:
    resources: { cpus: 4 }
  big:
    resources: { cpus: 32, memory: 64GB, gpus: 2 }
    clustering: { strategy: horizontal, tasksPerJob: 50, stages: { train: 1 } }
    placement: copy
    python: /opt/python/bin/python3
    env: { OMP_NUM_THREADS: "1" }
`,
    "sites.yaml",
  );
  expect(findSite(sites, "local").resources).toEqual({ cpus: 4 });
  expect(findSite(sites, "big")).toEqual({
    name: "big",
    backend: "local",
    resources: { cpus: 32, memory: 64e9, gpus: 2 },
    clustering: { strategy: "horizontal", tasksPerJob: 50, stages: { train: 1 } },
    placement: "copy",
    python: "/opt/python/bin/python3",
    env: { OMP_NUM_THREADS: "1" },
  });
});

test.each([
  ["wrong YAML", "sites:\n  big:\n   - a\n  b", 4, ""],
  ["a name twice", "sites:\n  big: {}\n  big: {}", 3, "unique"],
  ["an unknown setting", "sites:\n  big:\n    placement: copy\n    backend: local\n    partition: gpu", 5, "partition"],
  ["an unknown setting of the file", "sites: {}\ndefault: big", 2, "default"],
  ["an unknown resource", "sites:\n  big:\n    resources:\n      gpus: 1\n      cores: 4", 5, "cores"],
  ["a wrong type", "sites:\n  big:\n    resources:\n      cpus: many", 4, "sites.big.resources.cpus"],
  ["no amount of memory", "sites:\n  big:\n    resources:\n      memory: lots", 4, '"lots" is not an amount of memory'],
  ["an unknown backend", "sites:\n  big:\n    backend: cloud", 3, "sites.big.backend"],
  ["no task in a job", "sites:\n  big:\n    clustering:\n      tasksPerJob: 0", 4, "tasksPerJob"],
  ["a site's wrong name", "sites:\n  ok: {}\n  1st: {}", 3, "sites.1st"],
  ["a list", "- big", 1, "the file"],
])("%s is refused with its line", (_, text, line, message) => {
  const error = mistake(text);
  expect([error.code, error.where]).toEqual(["WF_SITE_INVALID", `sites.yaml:${line}`]);
  expect(error.message).toContain(message);
  expect(error.hint).toContain("docs/sites.md");
});

test("an unknown site says which ones there are", () => {
  expect(() => findSite(parseSites("sites: { big: {} }", "sites.yaml"), "bgi")).toThrow(
    expect.objectContaining({ code: "WF_SITE_UNKNOWN", hint: expect.stringContaining("local, big") }),
  );
});
