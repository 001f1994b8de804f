import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ContentFile } from "../../content-file.ts";
import type { ContractCase, ContractStage } from "../contract-case.ts";

const LARGE_BYTES = 1_300_000;

/** A file of this machine, by its content. */
function object({ local }: ContractStage, content: string | Buffer, mode = 0o444): ContentFile {
  const bytes = Buffer.from(content as string);
  const hash = createHash("sha256").update(bytes).digest("hex");
  writeFileSync(join(local, hash), bytes);
  return {
    hash,
    sizeBytes: bytes.byteLength,
    local: join(local, hash),
    remote: `objects/${hash.slice(0, 2)}/${hash}`,
    mode,
  };
}

const large = (fill: string) => Buffer.alloc(LARGE_BYTES, fill);

/** Content that goes by its hash. */
export const objects: readonly ContractCase[] = [
  {
    name: "what is missing is sent, small and large, and what is there is not sent again",
    async run(stage) {
      const { transport, root, signal } = stage;
      const few = [object(stage, "one"), object(stage, ""), object(stage, large("a"), 0o555)];
      expect(await transport.putObjects(root, few, signal)).toEqual({ moved: 3, movedBytes: 3 + LARGE_BYTES, kept: 0 });
      const more = [...few, object(stage, "two"), object(stage, large("b"))];
      expect(await transport.putObjects(root, more, signal)).toEqual({
        moved: 2,
        movedBytes: 3 + LARGE_BYTES,
        kept: 3,
      });
      for (const { remote, hash, mode } of more) {
        const content = (await transport.readFile(`${root}/${remote}`, signal)) ?? Buffer.alloc(0);
        expect(createHash("sha256").update(content).digest("hex")).toBe(hash);
        expect(await transport.stat(`${root}/${remote}`, signal)).toMatchObject({ mode });
      }
      const unfinished = (await transport.list(`${root}/tmp`, signal)) ?? [];
      expect(unfinished).toEqual([]);
    },
  },
  {
    name: "what is no file is as if it were not there",
    async run(stage) {
      const { transport, root, local, signal } = stage;
      for (const content of ["one", large("d")]) {
        const file = object(stage, content);
        await transport.putObjects(root, [file], signal);
        const path = `${root}/${file.remote}`;
        for (const put of ["mkfifo", "ln -s /dev/zero", "mkdir"]) {
          await transport.run({ argv: ["sh", "-c", `rm -rf "$0"; ${put} "$0"`, path] }, signal);
          expect(await transport.sha256([path], signal)).toEqual(new Map());
          const wanted = { ...file, local: join(local, "back", file.hash) };
          await expect(transport.getObjects(root, [wanted], signal)).rejects.toThrow("is gone");
          expect(existsSync(wanted.local)).toBe(false);
        }
      }
    },
  },
  {
    name: "holes stay holes, there and back",
    async run(stage) {
      const { transport, root, local, signal } = stage;
      const bytes = Buffer.alloc(24 * 1024 ** 2);
      bytes.write("begin", 0);
      bytes.write("end", bytes.length - 3);
      const file = object(stage, bytes);
      writeFileSync(file.local, "begin");
      truncateSync(file.local, bytes.length - 3);
      appendFileSync(file.local, "end");
      const roomOf = async (path: string) =>
        Number((await transport.run({ argv: ["du", "-k", path] }, signal)).stdout.split("\t")[0]) * 1024;
      await transport.putObjects(root, [file], signal);
      const wanted = { ...file, local: join(local, "back", file.hash) };
      await transport.getObjects(root, [wanted], signal);
      expect(readFileSync(wanted.local).equals(bytes)).toBe(true);
      const here = statSync(file.local).blocks * 512;
      expect(await roomOf(`${root}/${file.remote}`)).toBeLessThan(here + 4 * 1024 ** 2);
      expect(statSync(wanted.local).blocks * 512).toBeLessThan(here + 4 * 1024 ** 2);
    },
  },
  {
    name: "what is here already is not fetched again",
    async run(stage) {
      const { transport, root, local, signal } = stage;
      const sent = [object(stage, "one"), object(stage, "two", 0o555), object(stage, large("c"))];
      await transport.putObjects(root, sent, signal);
      const wanted = sent.map((file) => ({ ...file, local: join(local, "back", file.hash) }));
      expect(await transport.getObjects(root, wanted.slice(0, 1), signal)).toMatchObject({ moved: 1, kept: 0 });
      expect(await transport.getObjects(root, wanted, signal)).toMatchObject({ moved: 2, kept: 1 });
      for (const file of wanted) {
        expect(readFileSync(file.local).equals(readFileSync(join(local, file.hash)))).toBe(true);
        expect(statSync(file.local).mode & 0o777).toBe(file.mode);
      }
    },
  },
  {
    name: "a file that a power cut left short is sent again",
    async run(stage) {
      const { transport, root, signal } = stage;
      const file = object(stage, "whole");
      await transport.writeFile({ path: `${root}/${file.remote}`, content: "who" }, signal);
      expect(await transport.putObjects(root, [file], signal)).toMatchObject({ moved: 1 });
      expect(String(await transport.readFile(`${root}/${file.remote}`, signal))).toBe("whole");
    },
  },
  {
    name: "content that is not what its hash says is refused, and never gets its name",
    async run(stage) {
      const { transport, root, signal } = stage;
      const good = object(stage, "good");
      for (const content of [Buffer.from("evil"), large("e")]) {
        const bad = object(stage, content);
        writeFileSync(bad.local, Buffer.alloc(content.byteLength, "X"));
        await expect(transport.putObjects(root, [good, bad], signal)).rejects.toMatchObject({
          code: "WF_SITE_CHECKSUM",
          where: bad.local,
        });
        expect(await transport.stat(`${root}/${bad.remote}`, signal)).toBeUndefined();
        await transport.writeFile(
          { path: `${root}/${bad.remote}`, content: Buffer.alloc(content.byteLength, "X") },
          signal,
        );
        const back = { ...bad, local: `${bad.local}.back` };
        await expect(transport.getObjects(root, [back], signal)).rejects.toMatchObject({ code: "WF_SITE_CHECKSUM" });
        expect(existsSync(back.local)).toBe(false);
      }
    },
  },
  {
    name: "the same content twice is one file, with the modes of both",
    async run(stage) {
      const { transport, root, signal } = stage;
      const file = object(stage, "shared");
      expect(await transport.putObjects(root, [file, file], signal)).toMatchObject({ moved: 1, kept: 1 });
      await transport.putObjects(root, [{ ...file, mode: 0o555 }], signal);
      expect(await transport.stat(`${root}/${file.remote}`, signal)).toMatchObject({ mode: 0o555 });
    },
  },
  {
    name: "an object that is gone is an error that names it",
    async run(stage) {
      const { transport, root, signal } = stage;
      for (const file of [object(stage, "gone"), object(stage, large("g"))]) {
        const wanted = { ...file, local: `${file.local}.back` };
        await expect(transport.getObjects(root, [wanted], signal)).rejects.toMatchObject({
          code: "WF_ARTIFACT_MISSING",
          where: expect.stringContaining(file.hash),
        });
      }
    },
  },
  {
    name: "no path leaves its root, and nothing to move is no work",
    async run(stage) {
      const { transport, root, signal } = stage;
      const file = object(stage, "out");
      for (const remote of ["../out", "/etc/out", "a/../../out"])
        await expect(transport.putObjects(root, [{ ...file, remote }], signal)).rejects.toMatchObject({
          code: "WF_PATH_ESCAPE",
        });
      expect(await transport.putObjects(root, [], signal)).toEqual({ moved: 0, movedBytes: 0, kept: 0 });
      expect(await transport.getObjects(root, [], signal)).toEqual({ moved: 0, movedBytes: 0, kept: 0 });
    },
  },
];
