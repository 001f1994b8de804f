/** Set-up installs what the lock file names, and nothing else. */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const SETUP = fileURLToPath(new URL("../../scripts/setup/dependencies.mjs", import.meta.url));

it("says what to type where the lock file is outdated, and installs nothing unseen", async () => {
  const { installDependencies } = await import(pathToFileURL(SETUP).href);
  const ran: string[][] = [];
  const run = async (argv: string[]) => {
    ran.push(argv);
    return { code: 1, output: "ERR_PNPM_OUTDATED_LOCKFILE  Cannot install" };
  };
  const installing = installDependencies(join(SETUP, "../../.."), { program: "pnpm.cjs" }, { run, env: {} });
  await expect(installing).rejects.toMatchObject({ message: expect.stringContaining("pnpm-lock.yaml does not match") });
  expect(ran.map((argv) => argv.slice(1))).toEqual([["pnpm.cjs", "install", "--frozen-lockfile"]]);
});
