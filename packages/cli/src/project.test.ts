import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProject } from "./project.ts";

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "wf-project-")));
  mkdirSync(join(folder, "marked/inner/deep"), { recursive: true });
  writeFileSync(join(folder, "marked/sites.yaml"), "");
  mkdirSync(join(folder, "marked/inner/.wf"));
  mkdirSync(join(folder, "bare"));
  writeFileSync(join(folder, "bare/flow.ts"), "");
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("findProject", () => {
  it("takes the nearest marked folder above a file", () => {
    expect(findProject(join(folder, "marked/inner/deep/flow.ts"), undefined, {}).root).toBe(
      join(folder, "marked/inner"),
    );
    expect(findProject(join(folder, "marked/flow.ts"), undefined, {}).root).toBe(join(folder, "marked"));
  });

  it("takes the file's own folder where nothing is marked", () => {
    expect(findProject(join(folder, "bare/flow.ts"), undefined, {})).toEqual({
      root: join(folder, "bare"),
      storeFolder: join(folder, "bare/.wf"),
    });
  });

  it("keeps the store where the flag says, else where WF_STORE says", () => {
    const file = join(folder, "bare/flow.ts");
    expect(findProject(file, "/flag", { WF_STORE: "/env" }).storeFolder).toBe("/flag");
    expect(findProject(file, undefined, { WF_STORE: "/env" }).storeFolder).toBe("/env");
    expect(findProject(file, undefined, { WF_STORE: "" }).storeFolder).toBe(join(folder, "bare/.wf"));
  });
});
