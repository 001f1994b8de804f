/** Set-up fetches as people have told npm to: by their mirror, their proxy and their certificates, wherever that stands. */
import { execFileSync, spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeProject, type Project } from "./wf-project.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SETUP = join(ROOT, "scripts/setup");
const PNPM = join(ROOT, ".setup/node_modules", "pnpm/bin/pnpm.cjs");
const VERSION = "10.99.0";

/** A registry that has one package: a pnpm that only says where it is from. */
let registry: Server;
let url: string;
let asked: string[];

beforeAll(async () => {
  const tarball = gzipSync(
    execFileSync("tar", ["-cf", "-", "-C", packageFolder().folder, "package"], { maxBuffer: 1 << 20 }),
  );
  registry = createServer(({ url: path = "" }, response) => {
    asked.push(path);
    if (path.endsWith(".tgz")) return response.end(tarball);
    const dist = { tarball: `${url}/pnpm.tgz` };
    const versions = { [VERSION]: { name: "pnpm", version: VERSION, dist } };
    return response.end(JSON.stringify({ name: "pnpm", "dist-tags": { latest: VERSION }, versions }));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
});

function packageFolder(): Project {
  return makeProject({
    "package/package.json": JSON.stringify({ name: "pnpm", version: VERSION }),
    "package/bin/pnpm.cjs": "console.log('from the mirror');\n",
  });
}

/** A clone, a home, and the folder below which npm keeps its global file. */
function bareMachine(): Project {
  return makeProject({ "clone/package.json": JSON.stringify({ packageManager: `pnpm@${VERSION}` }), "home/.keep": "" });
}

/** What a program prints that runs with these people's settings alone. */
function ask(machine: Project, argv: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|proxy$|^NODE_EXTRA_CA_CERTS$/i.test(name));
  const env = { ...Object.fromEntries(own), HOME: machine.path("home"), npm_config_prefix: machine.path("global") };
  const child = spawn(process.execPath, argv, {
    cwd: machine.path("clone"),
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  return new Promise((resolve) => child.on("close", () => resolve(printed.trim())));
}

/** In a process of its own, since set-up reads its own environment. */
const script = (body: string) => [
  "--input-type=module",
  "-e",
  `import { installPnpm, privatePnpm } from "${SETUP}/pnpm.mjs";
   import { npmSettings } from "${SETUP}/npm-settings.mjs";
   import { openLog } from "${SETUP}/logged-run.mjs";
   const root = process.cwd();
   const { run } = openLog(root + "/log", root);
   ${body}`,
];
const INSTALL = script(`const pnpm = privatePnpm(root);
  await installPnpm(pnpm, { root, run, env: { npm_config_fetch_retries: "0" } });
  console.log((await run([process.execPath, pnpm.program])).output);`);
const SETTINGS = script("console.log(JSON.stringify(await npmSettings(run)));");

it.each([
  ["npm's global file", "global/etc/npmrc"],
  ["one's own file", "home/.npmrc"],
  ["a file of the clone", "clone/.npmrc"],
])("pnpm comes from a mirror that stands in %s", async (_, file) => {
  asked = [];
  const machine = bareMachine();
  machine.write(file, `registry=${url}/\n`);
  expect(await ask(machine, INSTALL)).toBe("from the mirror");
  expect(asked).toEqual(["/pnpm", "/pnpm.tgz"]);
});

it("pnpm and what builds native modules are told of npm's global file, proxies and certificates", async () => {
  const machine = bareMachine();
  const cafile = machine.write("our-ca.pem", "");
  machine.write("global/etc/npmrc", `registry=${url}/\ncafile=${cafile}\n`);
  machine.write("clone/.npmrc", "https-proxy=http://proxy.example:3128/\nnoproxy=localhost\n");
  const told = JSON.parse(await ask(machine, SETTINGS));
  expect(told).toEqual({
    npm_config_globalconfig: machine.path("global/etc/npmrc"),
    npm_config_https_proxy: "http://proxy.example:3128/",
    npm_config_noproxy: "localhost",
    npm_config_cafile: cafile,
    NODE_EXTRA_CA_CERTS: cafile,
  });
  // A pnpm of this version would be fetched by the one that is asked, if the clone asked.
  machine.write("clone/package.json", "{}");
  const lookUp = [PNPM, "config", "get", "registry"];
  expect(await ask(machine, lookUp, { ...told, npm_config_prefix: machine.path("elsewhere") })).toBe(`${url}/`);
});

it("leaves the certificates alone that Node has been told of", async () => {
  const machine = bareMachine();
  machine.write("home/.npmrc", `cafile=${machine.write("our-ca.pem", "")}\n`);
  const told = JSON.parse(await ask(machine, SETTINGS, { NODE_EXTRA_CA_CERTS: "/dev/null" }));
  expect(told).not.toHaveProperty("NODE_EXTRA_CA_CERTS");
});

it("says nothing where people have said nothing", async () => {
  const machine = bareMachine();
  expect(JSON.parse(await ask(machine, SETTINGS))).toEqual({
    npm_config_globalconfig: machine.path("global/etc/npmrc"),
  });
});
