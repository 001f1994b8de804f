import {
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProject } from "./project.ts";
import type { Truster } from "./trusted-owner.ts";

const me = (env: NodeJS.ProcessEnv): Truster => ({ uid: process.geteuid?.(), env });
const ME = me({});

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
    expect(findProject(join(folder, "marked/inner/deep/flow.ts"), undefined, ME).root).toBe(
      join(folder, "marked/inner"),
    );
    expect(findProject(join(folder, "marked/flow.ts"), undefined, ME).root).toBe(join(folder, "marked"));
  });

  it("takes the file's own folder where nothing is marked", () => {
    expect(findProject(join(folder, "bare/flow.ts"), undefined, ME)).toEqual({
      root: join(folder, "bare"),
      storeFolder: join(folder, "bare/.wf"),
    });
  });

  it("keeps the store where the flag says, else where WF_STORE says", () => {
    const file = join(folder, "bare/flow.ts");
    expect(findProject(file, "/flag", me({ WF_STORE: "/env" })).storeFolder).toBe("/flag");
    expect(findProject(file, undefined, me({ WF_STORE: "/env" })).storeFolder).toBe("/env");
    expect(findProject(file, undefined, me({ WF_STORE: "" })).storeFolder).toBe(join(folder, "bare/.wf"));
  });

  describe("in a folder whose mark belongs to somebody else", () => {
    const isRoot = process.geteuid?.() === 0;
    const STRANGER = 65_534;
    /** Root gives the mark away; anybody else looks at their own with the eyes of another. */
    const looker = (env: NodeJS.ProcessEnv = {}): Truster =>
      isRoot ? me(env) : { uid: (process.geteuid?.() ?? 0) + 1, env };
    const owner = isRoot ? STRANGER : process.geteuid?.();

    const marked = (mark: string): string => {
      const root = realpathSync(mkdtempSync(join(folder, "foreign-")));
      mkdirSync(join(root, "mine"));
      const path = join(root, mark);
      if (mark === ".wf" || mark === ".git") mkdirSync(path);
      else writeFileSync(path, "");
      if (isRoot) chownSync(path, STRANGER, STRANGER);
      return root;
    };

    it.each([".wf", "sites.yaml", "package.json", ".git"])("refuses it: %s", (mark) => {
      const root = marked(mark);
      expect(() => findProject(join(root, "mine/flow.ts"), undefined, looker())).toThrow(
        expect.objectContaining({
          code: "WF_PROJECT_FOREIGN",
          message: expect.stringContaining(`another user (${owner})`),
          where: join(root, mark),
          hint: expect.stringContaining(`export WF_TRUST=${root}; to have a project of your own here: mkdir`),
        }),
      );
      expect(() => findProject(root, "/a/store/of/my/own", looker())).toThrow(/another user/);
    });

    it("refuses a link that somebody else made to a file of the user's own", ({ skip }) => {
      if (!isRoot) skip("SKIPPED: only root can give a link away");
      const root = realpathSync(mkdtempSync(join(folder, "linked-")));
      writeFileSync(join(folder, "own.yaml"), "");
      symlinkSync(join(folder, "own.yaml"), join(root, "sites.yaml"));
      lchownSync(join(root, "sites.yaml"), STRANGER, STRANGER);
      expect(() => findProject(root, undefined, ME)).toThrow(/another user/);
    });

    it("takes it where WF_TRUST names that very folder", () => {
      const root = marked("sites.yaml");
      expect(findProject(root, undefined, looker({ WF_TRUST: `/elsewhere:${root}` })).root).toBe(root);
      expect(() => findProject(root, undefined, looker({ WF_TRUST: `${root}/mine:/` }))).toThrow(/another user/);
    });

    it("takes it from root, and from the person behind sudo", () => {
      const root = marked("sites.yaml");
      const sudo = (uid: string) => ({ uid: 0, env: { SUDO_UID: uid } });
      expect(findProject(root, undefined, sudo(`${owner}`)).root).toBe(root);
      expect(() => findProject(root, undefined, sudo("4242"))).toThrow(/another user/);
      expect(() => findProject(root, undefined, { uid: 4242, env: { SUDO_UID: `${owner}` } })).toThrow(/another user/);
    });
  });
});
