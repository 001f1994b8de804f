import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { outputText, putObject, shellJob } from "../specs.ts";

/** What a task may find in its environment without having named it; the last line is the shell's own. */
const GIVEN = new Set([
  ...["PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR"],
  ...["WF_RUN", "WF_TASK_NAME", "WF_ATTEMPT", "WF_CPUS", "WF_TASK", "WF_METRICS"],
  ...["CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"],
  ...["PWD", "OLDPWD", "SHLVL", "_"],
]);

/** A task sees what it declared, and nothing else. */
export const isolation: readonly ContractCase[] = [
  {
    name: "the environment holds what the task names, and nothing of the engine's own",
    async run({ harness, open }) {
      process.env.WF_CONTRACT_LEAK = "leaked";
      try {
        const session = await open();
        const env = { SEED: "4", ODD: `a "b"\n$HOME` };
        await session.submit(
          shellJob(harness, "a1", "env -0 > out/env", {
            env,
            outputs: [{ name: "env", path: "out/env", kind: "file" }],
          }),
        );
        const text = outputText(harness, await session.finished("a1"), "env");
        const seen = new Map(text.split("\0").filter(Boolean).map(splitAtEquals));
        expect(Object.fromEntries(seen)).toMatchObject({ ...env, WF_RUN: harness.run, WF_ATTEMPT: "a1" });
        expect([...seen.keys()].filter((name) => !GIVEN.has(name)).sort()).toEqual(["ODD", "SEED"]);
      } finally {
        delete process.env.WF_CONTRACT_LEAK;
      }
    },
  },
  {
    name: "a secret in the environment reaches the task and no file of the run",
    async run({ harness, open }) {
      const session = await open();
      const secret = "correct-horse-battery-staple";
      const length = `printf %s "$TOKEN" | wc -c | grep -qx ${secret.length}`;
      await session.submit(
        shellJob(harness, "works", length, { env: { TOKEN: secret }, secrets: ["TOKEN"] }),
        shellJob(harness, "fails", `${length} && exit 3`, {
          env: { TOKEN: secret },
          secrets: ["TOKEN"],
          keepSandbox: "failed",
        }),
        shellJob(harness, "absent", "", { env: { TOKEN: secret }, secrets: ["TOKEN"], argv: ["no-such-program"] }),
      );
      expect(await session.finished("works")).toMatchObject({ state: "succeeded" });
      expect(await session.finished("fails")).toMatchObject({ exitCode: 3 });
      expect(await session.finished("absent")).toMatchObject({ state: "failed" });
      await session.close();
      const files = readdirSync(harness.storage, { recursive: true, withFileTypes: true }).filter((file) =>
        file.isFile(),
      );
      expect(files.length).toBeGreaterThanOrEqual(3);
      const telling = files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(secret));
      expect(telling.map(({ name }) => name)).toEqual([]);
    },
  },
  {
    name: "the sandbox holds the declared inputs alone, and an undeclared file is reported",
    async run({ harness, open }) {
      const session = await open();
      const wanted = putObject(harness, "wanted", "wanted.txt");
      putObject(harness, "unwanted", "unwanted.txt");
      await session.submit(
        shellJob(harness, "a1", "ls in > out/list; echo extra > extra.txt", {
          inputs: [{ name: "wanted", path: "in/wanted.txt", value: wanted, how: "copy" }],
          outputs: [{ name: "list", path: "out/list", kind: "file" }],
        }),
      );
      const record = await session.finished("a1");
      expect(outputText(harness, record, "list")).toBe("wanted.txt\n");
      expect(record.undeclared).toEqual([{ path: "extra.txt", size: 6 }]);
    },
  },
];

function splitAtEquals(entry: string): [name: string, value: string] {
  const at = entry.indexOf("=");
  return [entry.slice(0, at), entry.slice(at + 1)];
}
