import { execFile } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { REPOSITORY } from "../repository.ts";

/** What the tests' own npm and vitest say of this repository, and a stranger's shell does not. */
const OF_THIS_REPOSITORY =
  /^(npm_(lifecycle|package)_.*|npm_config_local_prefix|INIT_CWD|NODE_PATH|NODE_ENV|WF_STORE)$/;
const OFFLINE = /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/;

export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of somebody who has npm and no clone of wf. */
export class StrangerProject {
  /** Holds the project, and what is there before it. */
  readonly around = mkdtempSync(join(tmpdir(), "wf-stranger-"));
  readonly folder = join(this.around, "my project");

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  run(argv: readonly [string, ...string[]], folder = "."): Promise<Ended> {
    const [program, ...words] = argv;
    return execute(program, words, { cwd: this.path(folder), env: this.#environment() });
  }

  npx(...words: readonly string[]): Promise<Ended> {
    return this.run(["npx", ...words]);
  }

  /** Installs as a person does; the reason if no registry can be reached. */
  async install(tarball: string): Promise<string | undefined> {
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
    const { exitCode, stdout, stderr } = await this.run(["npm", "install", "--save-dev", tarball, ...quiet]);
    if (exitCode === 0) return undefined;
    const sign = stderr.split("\n").find((line) => OFFLINE.test(line));
    if (sign === undefined) throw new Error(`npm install failed:\n${stdout}${stderr}`);
    return sign;
  }

  /** Every file below a folder, with what changes when it is written. */
  stamps(folder: string): ReadonlyMap<string, string> {
    const entries = readdirSync(this.path(folder), { recursive: true, encoding: "utf8" });
    return new Map(
      entries.map((name) => {
        const { size, mtimeMs, ctimeMs } = lstatSync(this.path(folder, name));
        return [name, `${size} ${mtimeMs} ${ctimeMs}`];
      }),
    );
  }

  /** Files below a folder that hold a text. */
  filesWith(text: string, folder: string): string[] {
    return readdirSync(this.path(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(text));
  }

  #environment(): Record<string, string | undefined> {
    const own = Object.entries(process.env).filter(([name]) => !OF_THIS_REPOSITORY.test(name));
    const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(REPOSITORY));
    return {
      ...Object.fromEntries(own),
      PATH: path.join(delimiter),
      NO_COLOR: "1",
      npm_config_yes: "false",
      npm_config_fetch_retry_mintimeout: "1000",
      npm_config_fetch_retry_maxtimeout: "5000",
      npm_config_better_sqlite3_local_prebuilds: join(this.around, "prebuilds"),
    };
  }
}

/** A ready-made SQLite for npm to find, as its maker offers it for most machines: compiling one takes minutes. */
export async function offerSqlite(project: StrangerProject): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve("better-sqlite3/package.json");
  const { name, version } = JSON.parse(readFileSync(manifest, "utf8"));
  const machine = `node-v${process.versions.modules}-${process.platform}-${process.arch}`;
  const folder = join(project.around, "prebuilds");
  mkdirSync(folder);
  const tarball = join(folder, `${name}-v${version}-${machine}.tar.gz`);
  const { exitCode, stderr } = await execute("tar", [
    ...["-czf", tarball, "-C", dirname(manifest)],
    "build/Release/better_sqlite3.node",
  ]);
  if (exitCode !== 0) throw new Error(stderr);
}

/** The tarball that `npm run pack` makes. */
export async function packInto(folder: string): Promise<string> {
  const { exitCode, stdout, stderr } = await execute(process.execPath, [join(REPOSITORY, "scripts/pack.mjs"), folder]);
  if (exitCode !== 0) throw new Error(`packing failed:\n${stderr}`);
  return stdout.trim();
}

interface ExecuteOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string | undefined>;
}

function execute(program: string, words: readonly string[], options: ExecuteOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, words, { ...options, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      if (child.exitCode === null) reject(error);
      else resolve({ exitCode: child.exitCode, stdout, stderr });
    });
  });
}
