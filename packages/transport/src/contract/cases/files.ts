import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { AWKWARD_NAMES } from "../awkward.ts";
import type { ContractCase } from "../contract-case.ts";

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Single files and folders. */
export const files: readonly ContractCase[] = [
  {
    name: "a file is written whole, with its folders and its mode, and read",
    async run({ transport, root, signal }) {
      const path = `${root}/a/b/note`;
      await transport.writeFile({ path, content: "first, and longer" }, signal);
      await transport.writeFile({ path, content: Buffer.from("häppy\0"), mode: 0o640 }, signal);
      expect(await transport.readFile(path, signal)).toEqual(Buffer.from("häppy\0"));
      expect(await transport.stat(path, signal)).toMatchObject({ kind: "file", sizeBytes: 7, mode: 0o640 });
      expect((await transport.list(`${root}/a/b`, signal))?.map(({ name }) => name)).toEqual(["note"]);
    },
  },
  {
    name: "a folder that is made is private, or shared with the group as the one that it is made in",
    async run({ transport, root, signal }) {
      const note = Buffer.from("a note");
      const hash = createHash("sha256").update(note).digest("hex");
      const local = join(mkdtempSync(join(tmpdir(), "wf-private-")), "note");
      writeFileSync(local, note);
      const modesIn = async (folder: string) => {
        await transport.writeFile({ path: `${folder}/written/deep/file`, content: note }, signal);
        await transport.makeFolder(`${folder}/made/deep`, signal);
        const file = { hash, sizeBytes: note.length, local, remote: `ab/${hash}`, mode: 0o444 };
        await transport.putObjects(`${folder}/put`, [file], signal);
        const paths = ["written", "written/deep", "made", "made/deep", "put", "put/ab"];
        const found = await Promise.all(paths.map((path) => transport.stat(`${folder}/${path}`, signal)));
        return new Set(found.map((status) => status?.mode));
      };
      for (const [mode, modes] of [
        [0o755, [0o700]],
        [0o1777, [0o700]],
        [0o2770, [0o2770]],
      ] as const) {
        const folder = `${root}/folder-${mode}`;
        await transport.makeFolder(folder, signal);
        await transport.chmod(folder, mode, signal);
        expect(await modesIn(folder)).toEqual(new Set(modes));
      }
    },
  },
  {
    name: "large and empty files are written and read",
    async run({ transport, root, signal }) {
      const large = Buffer.alloc(2_500_000, "wf transport ");
      for (const content of [large, Buffer.alloc(0), Buffer.alloc(65_536, 1)]) {
        await transport.writeFile({ path: `${root}/file`, content }, signal);
        expect((await transport.readFile(`${root}/file`, signal))?.equals(content)).toBe(true);
      }
    },
  },
  {
    name: "what is not there is undefined",
    async run({ transport, root, signal }) {
      expect(await transport.readFile(`${root}/nothing`, signal)).toBeUndefined();
      expect(await transport.stat(`${root}/nothing/below`, signal)).toBeUndefined();
      expect(await transport.list(`${root}/nothing`, signal)).toBeUndefined();
      expect(await transport.sha256([`${root}/nothing`], signal)).toEqual(new Map());
      await transport.remove(`${root}/nothing`, signal);
    },
  },
  {
    name: "any name is written, listed, read, hashed, renamed and removed",
    async run({ transport, root, signal }) {
      const write = (name: string) => transport.writeFile({ path: `${root}/${name}`, content: name }, signal);
      await Promise.all(AWKWARD_NAMES.map(write));
      const listed = await transport.list(root, signal);
      expect(listed?.map(({ name }) => name).toSorted()).toEqual([...AWKWARD_NAMES].toSorted());
      const paths = AWKWARD_NAMES.map((name) => `${root}/${name}`);
      const hashes = await transport.sha256(paths, signal);
      expect([...hashes]).toEqual(AWKWARD_NAMES.map((name) => [`${root}/${name}`, hashOf(name)]));
      for (const [index, path] of paths.entries()) {
        await transport.rename({ from: path, to: `${path}.new` }, signal);
        expect(String(await transport.readFile(`${path}.new`, signal))).toBe(AWKWARD_NAMES[index]);
        await transport.remove(`${path}.new`, signal);
      }
      expect(await transport.list(root, signal)).toEqual([]);
    },
  },
  {
    name: "a folder is listed with kinds, sizes and times, however large",
    async run({ transport, root, signal }) {
      const argv = ["sh", "-c", "mkdir sub; ln -s nowhere link; for i in $(seq 600); do echo x > f$i; done"] as const;
      await transport.run({ argv, cwd: root }, signal);
      const entries = (await transport.list(root, signal)) ?? [];
      const byName = new Map(entries.map((entry) => [entry.name, entry]));
      expect(entries.length).toBe(602);
      expect(byName.get("f7")).toMatchObject({ kind: "file", sizeBytes: 2 });
      expect([byName.get("sub")?.kind, byName.get("link")?.kind]).toEqual(["folder", "link"]);
      expect(Math.abs((byName.get("f7")?.modifiedMs ?? 0) - Date.now())).toBeLessThan(3_600_000);
    },
  },
  {
    name: "a link is told apart, and followed when it is read",
    async run({ transport, root, signal }) {
      await transport.writeFile({ path: `${root}/real`, content: "content" }, signal);
      await transport.symlink({ path: `${root}/link`, target: "real" }, signal);
      expect(await transport.stat(`${root}/link`, signal)).toMatchObject({ kind: "link", target: "real" });
      expect(String(await transport.readFile(`${root}/link`, signal))).toBe("content");
      await expect(transport.symlink({ path: `${root}/link`, target: "x" }, signal)).rejects.toMatchObject({
        code: "WF_SITE_FILE",
      });
      await transport.remove(`${root}/link`, signal);
      expect(String(await transport.readFile(`${root}/real`, signal))).toBe("content");
    },
  },
  {
    name: "a rename replaces what was there",
    async run({ transport, root, signal }) {
      await transport.writeFile({ path: `${root}/old`, content: "old" }, signal);
      await transport.writeFile({ path: `${root}/new`, content: "new" }, signal);
      await transport.rename({ from: `${root}/new`, to: `${root}/old` }, signal);
      expect(String(await transport.readFile(`${root}/old`, signal))).toBe("new");
      await expect(transport.rename({ from: `${root}/new`, to: `${root}/x` }, signal)).rejects.toMatchObject({
        code: "WF_SITE_FILE",
        message: expect.stringContaining("does not exist"),
      });
    },
  },
  {
    name: "folders are made once, and removed with all that they hold, but not what their links lead to",
    async run({ transport, root, signal }) {
      await transport.makeFolder(`${root}/x/y/z`, signal);
      await transport.makeFolder(`${root}/x/y/z`, signal);
      await transport.writeFile({ path: `${root}/x/y/file`, content: "" }, signal);
      await transport.writeFile({ path: `${root}/outside/kept`, content: "" }, signal);
      await transport.symlink({ path: `${root}/x/y/out`, target: `${root}/outside` }, signal);
      await transport.remove(`${root}/x`, signal);
      expect(await transport.stat(`${root}/x`, signal)).toBeUndefined();
      expect(await transport.stat(`${root}/outside/kept`, signal)).toMatchObject({ kind: "file" });
    },
  },
  {
    name: "the mode of a file is changed",
    async run({ transport, root, signal }) {
      await transport.writeFile({ path: `${root}/file`, content: "" }, signal);
      await transport.chmod(`${root}/file`, 0o750, signal);
      expect(await transport.stat(`${root}/file`, signal)).toMatchObject({ mode: 0o750 });
    },
  },
  {
    name: "what cannot be done is an error that names the file",
    async run({ transport, root, signal }) {
      await transport.writeFile({ path: `${root}/file`, content: "" }, signal);
      const wrong = { code: "WF_SITE_FILE", where: expect.stringContaining(root), hint: expect.any(String) };
      await expect(transport.readFile(root, signal)).rejects.toMatchObject(wrong);
      await expect(transport.writeFile({ path: `${root}/file/x`, content: "" }, signal)).rejects.toMatchObject(wrong);
      await expect(transport.makeFolder(`${root}/file`, signal)).rejects.toMatchObject(wrong);
      await expect(transport.chmod(`${root}/nothing`, 0o644, signal)).rejects.toMatchObject(wrong);
    },
  },
  {
    name: "a path that is not absolute is refused",
    async run({ transport, signal }) {
      await expect(transport.writeFile({ path: "note", content: "" }, signal)).rejects.toThrow("absolute");
      await expect(transport.remove("~/x", signal)).rejects.toThrow("absolute");
    },
  },
  {
    name: "an aborted call fails with the reason of its signal",
    async run({ transport, root }) {
      const reason = new Error("enough");
      const aborted = AbortSignal.abort(reason);
      await expect(transport.readFile(`${root}/x`, aborted)).rejects.toBe(reason);
      await expect(transport.stat(`${root}/x`, aborted)).rejects.toBe(reason);
      await expect(transport.list(root, aborted)).rejects.toBe(reason);
      await expect(transport.writeFile({ path: `${root}/x`, content: "" }, aborted)).rejects.toBe(reason);
      await expect(transport.remove(`${root}/x`, aborted)).rejects.toBe(reason);
    },
  },
];
