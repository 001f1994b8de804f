import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { AWKWARD_NAMES } from "../awkward.ts";
import type { ContractCase } from "../contract-case.ts";

const SENDERS = 6;

/** Single files that go from one machine to the other. */
export const moves: readonly ContractCase[] = [
  {
    name: "a file is sent with its folders, its mode and any name, and fetched again",
    async run({ transport, root, local, signal }) {
      const sizes = [0, 1, 65_536, 1_500_001];
      for (const [index, size] of sizes.entries()) {
        const name = AWKWARD_NAMES[index] ?? "plain";
        const content = Buffer.alloc(size, `${size} `);
        writeFileSync(join(local, name), content);
        chmodSync(join(local, name), 0o750);
        await transport.upload({ local: join(local, name), remote: `${root}/deep/${name}` }, signal);
        expect(await transport.stat(`${root}/deep/${name}`, signal)).toMatchObject({ sizeBytes: size, mode: 0o750 });
        await transport.download({ local: join(local, `back/${name}`), remote: `${root}/deep/${name}` }, signal);
        expect(readFileSync(join(local, `back/${name}`)).equals(content)).toBe(true);
        expect(statSync(join(local, `back/${name}`)).mode & 0o777).toBe(0o750);
      }
      expect((await transport.list(`${root}/deep`, signal))?.length).toBe(sizes.length);
      expect(readdirSync(join(local, "back")).length).toBe(sizes.length);
    },
  },
  {
    name: "a file that is sent replaces what was there, with the mode that is asked for",
    async run({ transport, root, local, signal }) {
      writeFileSync(join(local, "file"), "new");
      await transport.writeFile({ path: `${root}/file`, content: "old and longer", mode: 0o444 }, signal);
      await transport.upload({ local: join(local, "file"), remote: `${root}/file`, mode: 0o600 }, signal);
      expect(String(await transport.readFile(`${root}/file`, signal))).toBe("new");
      expect(await transport.stat(`${root}/file`, signal)).toMatchObject({ mode: 0o600 });
    },
  },
  {
    name: "a file that many send at once, as when runs meet on a new site, is there for all of them",
    async run({ transport, root, local, signal }) {
      const content = Buffer.alloc(200_000, "wf launcher ");
      writeFileSync(join(local, "file"), content);
      const remote = `${root}/tools/file`;
      const send = () => transport.upload({ local: join(local, "file"), remote, mode: 0o640 }, signal);
      await Promise.all(Array.from({ length: SENDERS }, send));
      expect((await transport.readFile(remote, signal))?.equals(content)).toBe(true);
      expect(await transport.stat(remote, signal)).toMatchObject({ kind: "file", mode: 0o640 });
      expect((await transport.list(`${root}/tools`, signal))?.map(({ name }) => name)).toEqual(["file"]);
    },
  },
  {
    name: "a source that is missing is an error that names it, and leaves nothing",
    async run({ transport, root, local, signal }) {
      mkdirSync(join(local, "down"));
      const up = transport.upload({ local: join(local, "nothing"), remote: `${root}/file` }, signal);
      await expect(up).rejects.toMatchObject({ where: expect.stringContaining("nothing") });
      const down = transport.download({ local: join(local, "down/file"), remote: `${root}/nothing` }, signal);
      await expect(down).rejects.toMatchObject({ where: expect.stringContaining("nothing") });
      expect(existsSync(join(local, "down/file"))).toBe(false);
      expect(await transport.list(root, signal)).toEqual([]);
    },
  },
];
