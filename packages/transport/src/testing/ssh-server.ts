import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { until } from "@wf/testing";

const SSHD = "/usr/sbin/sshd";
/** sshd wants it when it runs as root. */
const PRIVILEGE_SEPARATION = "/run/sshd";
/** The name of its host key, whatever the address: a test may put something between. */
const ALIAS = "wf-test-site";

/** Why there can be no ssh server here; nothing, if there can. */
export function whyNoSshServer(): string | undefined {
  if (!existsSync(SSHD)) return `${SSHD} is missing. Type: sudo apt-get install openssh-server`;
  if (spawnSync("ssh", ["-V"]).status !== 0) return "ssh is missing. Type: sudo apt-get install openssh-client";
  return undefined;
}

export interface SshServerOptions {
  /** Lines of sshd_config(5), which replace the usual ones of the same keyword; host keys are added. */
  readonly config?: readonly string[];
  /** Another file to start sshd as, whose name is that of a PAM service. */
  readonly program?: string;
}

/**
 * A real sshd on loopback, with keys and settings of its own in a temporary folder, for the user who runs the tests.
 * What a client needs stands in `clientConfig()`, under the alias `site`.
 */
export class SshServer {
  readonly folder: string;
  readonly port: number;
  readonly user = userInfo().username;
  readonly identityFile: string;
  readonly knownHostsFile: string;
  readonly hostKeyFile: string;
  readonly #authorizedKeysFile: string;
  /** The home of who logs in, empty at first: start-up files of the user's own shell do not count in tests. */
  readonly home: string;
  readonly #program: string;
  #process: ChildProcess | undefined;
  #configs = 0;

  private constructor(folder: string, port: number, program: string) {
    this.folder = folder;
    this.port = port;
    this.#program = program;
    this.identityFile = join(folder, "id");
    this.knownHostsFile = join(folder, "known_hosts");
    this.hostKeyFile = join(folder, "host_key");
    this.#authorizedKeysFile = join(folder, "authorized_keys");
    this.home = join(folder, "home");
  }

  static async start({ config = [], program = SSHD }: SshServerOptions = {}): Promise<SshServer> {
    const folder = mkdtempSync(join(tmpdir(), "wf-sshd-"));
    const server = new SshServer(folder, await freePort(), program);
    if (process.getuid?.() === 0) mkdirSync(PRIVILEGE_SEPARATION, { recursive: true });
    mkdirSync(server.home);
    makeKey(server.hostKeyFile);
    makeKey(server.identityFile);
    server.authorizeOnly(server.identityFile);
    server.#configure(config);
    await server.up();
    return server;
  }

  /** Starts it, or starts it again under the same address. */
  async up(): Promise<void> {
    const log = join(this.folder, "sshd.log");
    this.#process = spawn(this.#program, ["-D", "-E", log, "-f", join(this.folder, "sshd_config")], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const says = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
    const isOver = () => this.#process?.exitCode !== null;
    await until("sshd", async () => isOver() || (await isAnswering(this.port)), { lastSeen: says });
    if (isOver()) throw new Error(`sshd did not come up:\n${says()}`);
  }

  /** As in a power cut: the server and all of its connections are gone at once. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process ?? {};
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process?.once("exit", resolve));
    for (const one of withDescendants(pid)) killIfAlive(one);
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Lets the owners of these keys in, and nobody else. */
  authorizeOnly(...keyFiles: readonly string[]): void {
    writeFileSync(this.#authorizedKeysFile, keyFiles.map((file) => readFileSync(`${file}.pub`, "utf8")).join(""));
  }

  /** How often somebody was let in so far. */
  get logins(): number {
    return this.#logged(/^Accepted \S+ for /);
  }

  /** How often somebody was not. */
  get failedLogins(): number {
    return this.#logged(/^Failed \S+ for /);
  }

  #logged(pattern: RegExp): number {
    const log = readFileSync(join(this.folder, "sshd.log"), "utf8");
    return log.split("\n").filter((line) => pattern.test(line)).length;
  }

  #configure(config: readonly string[]): void {
    const usual = [
      `ListenAddress 127.0.0.1:${this.port}`,
      `HostKey ${this.hostKeyFile}`,
      "PidFile none",
      `AuthorizedKeysFile ${this.#authorizedKeysFile}`,
      "StrictModes no",
      "LogLevel VERBOSE",
      "PermitRootLogin yes",
      "PasswordAuthentication no",
      "KbdInteractiveAuthentication no",
      "UsePAM no",
      "MaxStartups 100",
      "MaxSessions 10",
      "Subsystem sftp internal-sftp",
      `SetEnv HOME=${this.home}`,
    ];
    const keyword = (line: string) => line.split(" ")[0];
    const isOwn = (line: string) => keyword(line) !== "HostKey" && config.some((own) => keyword(own) === keyword(line));
    const lines = [...config, ...usual.filter((line) => !isOwn(line))];
    writeFileSync(join(this.folder, "sshd_config"), `${lines.join("\n")}\n`);
    writeFileSync(this.knownHostsFile, this.knownHostLine(`[127.0.0.1]:${this.port},${ALIAS}`));
  }

  /** A configuration for clients, for the alias `site`; lines that are given go before the usual ones. */
  clientConfig(...lines: readonly string[]): string {
    const file = join(this.folder, `ssh_config_${this.#configs++}`);
    const settings = [
      ...lines,
      "HostName 127.0.0.1",
      `Port ${this.port}`,
      `User ${this.user}`,
      `HostKeyAlias ${ALIAS}`,
      `IdentityFile ${this.identityFile}`,
      "IdentityAgent none",
      `UserKnownHostsFile ${this.knownHostsFile}`,
      "GlobalKnownHostsFile none",
    ];
    writeFileSync(file, `Host site\n${settings.map((line) => `  ${line}\n`).join("")}`);
    return file;
  }

  /** What stands in known_hosts of those who know this server. */
  knownHostLine(name = `[127.0.0.1]:${this.port}`): string {
    const [type, key] = readFileSync(`${this.hostKeyFile}.pub`, "utf8").split(" ");
    return `${name} ${type} ${key}\n`;
  }
}

/** Every connection of sshd is a session of its own, so a process group is not enough. */
function withDescendants(pid: number): readonly number[] {
  let children = "";
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  } catch {
    // It has ended meanwhile.
  }
  return [pid, ...children.split(" ").filter(Boolean).map(Number).flatMap(withDescendants)];
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}

export function makeKey(file: string, passphrase = "", type = "ed25519"): void {
  execFileSync("ssh-keygen", ["-q", "-t", type, "-N", passphrase, "-f", file], { stdio: "pipe" });
  chmodSync(file, 0o600);
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function isAnswering(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const end = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.once("data", () => end(true)).once("error", () => end(false));
  });
}
