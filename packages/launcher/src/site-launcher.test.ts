import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localTransport } from "@wf/transport";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SiteLauncher } from "./site-launcher.ts";

const root = mkdtempSync(join(tmpdir(), "wf-site-launcher-"));
const { signal } = new AbortController();
afterAll(() => rmSync(root, { recursive: true }));

const launcherIn = (storage: string) =>
  new SiteLauncher({ storage, transport: localTransport(), python: "python3", site: "cluster" });

let delivered: string;
beforeAll(async () => {
  delivered = join(root, "delivered");
  await launcherIn(delivered).deliver(signal);
});

/** A storage with a launcher that was delivered, and the folder that it lies in. */
function copied(name: string): { readonly launcher: SiteLauncher; readonly folder: string } {
  const storage = join(root, name.replaceAll(/\W/g, "-"));
  cpSync(delivered, storage, { recursive: true });
  const launcher = launcherIn(storage);
  return { launcher, folder: launcher.folder };
}

it("is brought to a site once, and looked at in one call the next time", async () => {
  const storage = join(root, "once");
  const transport = localTransport();
  const deliver = async () => {
    const launcher = new SiteLauncher({ storage, transport, python: "python3" });
    await launcher.deliver(signal);
    await launcher.deliver(signal);
    return launcher;
  };
  const launcher = await deliver();
  expect((await transport.run({ argv: [...launcher.command, "--version"] }, signal)).code).toBe(0);
  const before = transport.counts.commands;
  await deliver();
  expect(transport.counts.commands - before).toBe(1);
});

const compiledIn = (folder: string) => join(folder, "wf_launcher/__pycache__");
const compiledOf = (folder: string, module: string): string =>
  join(compiledIn(folder), readdirSync(compiledIn(folder)).find((name) => name.startsWith(`${module}.`)) as string);
const modulesIn = (folder: string): string =>
  join(folder, readdirSync(folder).find((name) => name.startsWith("modules-")) as string);

const CHANGES: Readonly<Record<string, (folder: string) => void>> = {
  "a line in a source": (folder) => appendFileSync(join(folder, "wf_launcher/cli.py"), "evil = 1\n"),
  "a source that is gone": (folder) => rmSync(join(folder, "wf_launcher/cli.py")),
  "a compiled module": (folder) => cpSync(compiledOf(folder, "log"), compiledOf(folder, "cli")),
  "a compiled module that is cut": (folder) => writeFileSync(compiledOf(folder, "cli"), "x"),
  "the modules in one file": (folder) => {
    const file = modulesIn(folder);
    const content = readFileSync(file);
    // A name that the code of some module loads.
    const at = content.indexOf("environ");
    content.write("environ".toUpperCase(), at);
    chmodSync(file, 0o644);
    writeFileSync(file, content);
  },
  "a module more, which would be imported first": (folder) => writeFileSync(join(folder, "json.py"), "evil = 1\n"),
  "a link in place of a source": (folder) => {
    renameSync(join(folder, "wf_launcher/cli.py"), join(root, "cli.py"));
    symlinkSync(join(root, "cli.py"), join(folder, "wf_launcher/cli.py"));
  },
  "a link to a folder": (folder) => symlinkSync(root, join(folder, "yaml")),
  "the zip file": (folder) => appendFileSync(`${folder}.pyz`, "evil"),
};

it.each(Object.entries(CHANGES))("is refused after a change: %s", async (name, change) => {
  const { launcher, folder } = copied(name);
  change(folder);
  await expect(launcher.deliver(signal)).rejects.toMatchObject({
    code: "WF_LAUNCHER_CHANGED",
    where: expect.stringContaining(folder),
    hint: expect.stringContaining(`rm -r ${folder} ${folder}.pyz`),
  });
});

it("is brought again after somebody has removed it, as the refusal says", async () => {
  const { launcher, folder } = copied("removed");
  appendFileSync(`${folder}.pyz`, "evil");
  await expect(launcher.deliver(signal)).rejects.toThrow("not the one that was sent");
  rmSync(folder, { recursive: true });
  rmSync(`${folder}.pyz`);
  await launcher.deliver(signal);
  expect(existsSync(folder)).toBe(true);
});

it("goes on without its zip file, and without modules that another interpreter compiled", async () => {
  const { launcher, folder } = copied("other interpreter");
  const other = join(compiledIn(folder), "cli.cpython-1.pyc");
  writeFileSync(other, "whatever");
  rmSync(`${folder}.pyz`);
  await launcher.deliver(signal);
  expect([existsSync(other), existsSync(`${folder}.pyz`)]).toEqual([false, true]);
});
