import { hostname, userInfo } from "node:os";
import { join } from "node:path";

/** How to reach one machine, as the user's own ssh would. */
export interface SshSettings {
  /** As it was typed: an alias, a name, or a whole address. */
  readonly destination: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Under which the machine stands in known_hosts. */
  readonly hostKeyName: string;
  readonly knownHostsFiles: readonly string[];
  readonly identityFiles: readonly string[];
  /** The agent's keys count only if they are among the identity files. */
  readonly isIdentitiesOnly: boolean;
  readonly agentSocket: string | undefined;
  /** Machines to go through, in order, as they were written. */
  readonly jumps: readonly string[];
  readonly proxyCommand: string | undefined;
  readonly methods: ReadonlySet<AuthMethod>;
  /** How often a person is asked before it counts as refused. */
  readonly promptsAtMost: number;
}

export type AuthMethod = "publickey" | "keyboard-interactive" | "password";

const METHOD_SETTINGS: Readonly<Record<AuthMethod, string>> = {
  publickey: "pubkeyauthentication",
  "keyboard-interactive": "kbdinteractiveauthentication",
  password: "passwordauthentication",
};

/** Reads what `ssh -G` prints: every setting that holds for a destination, one a line. */
export function parseSettings(printed: string, destination: string, env: NodeJS.ProcessEnv): SshSettings {
  const lines = printed.split("\n").map((line) => /^(\S+) (.*)$/.exec(line.trim()));
  const all = (key: string) =>
    lines.filter((line) => line?.[1]?.toLowerCase() === key).map((line) => line?.[2] as string);
  const one = (key: string) => all(key)[0];
  const host = one("hostname") ?? destination;
  const port = Number(one("port") ?? 22);
  const user = one("user") ?? userInfo().username;
  const given = one("host") ?? destination;
  const expand = (text: string) => expandTokens(text, { host, port, user, given }, env);
  const unlessNone = (text: string | undefined) => (text === undefined || text === "none" ? undefined : text);
  const hostKeyAlias = unlessNone(one("hostkeyalias"));
  return {
    destination,
    host,
    port,
    user,
    hostKeyName: hostKeyAlias ?? (port === 22 ? host : `[${host}]:${port}`).toLowerCase(),
    knownHostsFiles: [...all("userknownhostsfile"), ...all("globalknownhostsfile")].flatMap(splitPaths).map(expand),
    identityFiles: all("identityfile")
      .filter((file) => file !== "none")
      .map(expand),
    isIdentitiesOnly: one("identitiesonly") === "yes",
    agentSocket: agentSocket(one("identityagent"), env, expand),
    jumps: unlessNone(one("proxyjump"))?.split(",") ?? [],
    proxyCommand: expandCommand(unlessNone(one("proxycommand")), expand),
    methods: new Set(
      (Object.keys(METHOD_SETTINGS) as AuthMethod[]).filter((method) => one(METHOD_SETTINGS[method]) !== "no"),
    ),
    promptsAtMost: Number(one("numberofpasswordprompts") ?? 3),
  };
}

/** Several paths stand in one line, and a path may hold spaces; a new one begins like a path. */
function splitPaths(line: string): readonly string[] {
  return line.split(/\s+(?=[/~$%])/).filter((path) => path !== "none");
}

function agentSocket(
  setting: string | undefined,
  env: NodeJS.ProcessEnv,
  expand: (text: string) => string,
): string | undefined {
  if (setting === "none") return undefined;
  if (setting === undefined || setting === "SSH_AUTH_SOCK") return env.SSH_AUTH_SOCK || undefined;
  if (setting.startsWith("$") && !setting.startsWith("${")) return env[setting.slice(1)] || undefined;
  return expand(setting);
}

function expandCommand(command: string | undefined, expand: (text: string) => string): string | undefined {
  return command === undefined ? undefined : expand(command);
}

interface Tokens {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly given: string;
}

/** The tokens of ssh_config(5), and `~` and `${NAME}`, which `ssh -G` leaves as they were written. */
function expandTokens(text: string, { host, port, user, given }: Tokens, env: NodeJS.ProcessEnv): string {
  const own = userInfo();
  const tokens: Readonly<Record<string, string>> = {
    "%": "%",
    d: own.homedir,
    h: host,
    i: String(own.uid),
    L: hostname().split(".")[0] ?? "",
    l: hostname(),
    n: given,
    p: String(port),
    r: user,
    u: own.username,
  };
  return text
    .replace(/^~(?=\/|$)/, own.homedir)
    .replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? "")
    .replace(/%(.)/g, (token, letter: string) => tokens[letter] ?? token);
}

/** What ssh does without a word of configuration. */
export function plainSettings(destination: string, env: NodeJS.ProcessEnv): SshSettings {
  const address = /^(?:ssh:\/\/)?(?:([^@]+)@)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(destination.replace(/\/$/, ""));
  const home = join(userInfo().homedir, ".ssh");
  const keys = ["id_rsa", "id_ecdsa", "id_ed25519"].map((name) => `identityfile ${join(home, name)}`);
  const lines = [
    `hostname ${(address?.[2] ?? destination).replace(/^\[|\]$/g, "")}`,
    `port ${address?.[3] ?? 22}`,
    `user ${address?.[1] ?? userInfo().username}`,
    `userknownhostsfile ${join(home, "known_hosts")} ${join(home, "known_hosts2")}`,
    "globalknownhostsfile /etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2",
    ...keys,
  ];
  return parseSettings(lines.join("\n"), destination, env);
}
