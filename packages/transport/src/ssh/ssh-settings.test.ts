import { userInfo } from "node:os";
import { expect, it } from "vitest";
import { parseSettings, plainSettings } from "./ssh-settings.ts";

const HOME = userInfo().homedir;

/** What OpenSSH 9.2 printed, without what is not read. */
const PRINTED = `host cluster
user hpc
hostname login.cluster.org
port 2222
identitiesonly yes
kbdinteractiveauthentication yes
passwordauthentication no
pubkeyauthentication true
numberofpasswordprompts 3
identityfile ~/.ssh/id_%r_%h
identityfile /keys/\${USER_KEY}
globalknownhostsfile /etc/ssh/ssh_known_hosts /etc/ssh/ssh_known_hosts2
userknownhostsfile /home/hpc/.ssh/known hosts /home/hpc/.ssh/known_hosts2
proxyjump me@gate1:2202,gate2
`;

it("reads what ssh -G prints", () => {
  const env = { SSH_AUTH_SOCK: "/run/agent", USER_KEY: "mine" };
  expect(parseSettings(PRINTED, "cluster", env)).toEqual({
    destination: "cluster",
    host: "login.cluster.org",
    port: 2222,
    user: "hpc",
    hostKeyName: "[login.cluster.org]:2222",
    knownHostsFiles: [
      "/home/hpc/.ssh/known hosts",
      "/home/hpc/.ssh/known_hosts2",
      "/etc/ssh/ssh_known_hosts",
      "/etc/ssh/ssh_known_hosts2",
    ],
    identityFiles: [`${HOME}/.ssh/id_hpc_login.cluster.org`, "/keys/mine"],
    isIdentitiesOnly: true,
    agentSocket: "/run/agent",
    jumps: ["me@gate1:2202", "gate2"],
    proxyCommand: undefined,
    methods: new Set(["publickey", "keyboard-interactive"]),
    promptsAtMost: 3,
  });
});

it.each([
  ["identityagent none", undefined],
  ["identityagent SSH_AUTH_SOCK", "/run/agent"],
  ["identityagent $OTHER", "/run/other"],
  ["identityagent ~/.agent", `${HOME}/.agent`],
])("finds the agent by %s", (line, socket) => {
  const env = { SSH_AUTH_SOCK: "/run/agent", OTHER: "/run/other" };
  expect(parseSettings(`hostname a\n${line}\n`, "a", env).agentSocket).toBe(socket);
});

it("names a machine for known_hosts as ssh does", () => {
  expect(parseSettings("hostname Login.Example.ORG\nport 22\n", "x", {}).hostKeyName).toBe("login.example.org");
  expect(parseSettings("hostname a\nport 2222\nhostkeyalias the-key\n", "x", {}).hostKeyName).toBe("the-key");
});

it("expands what a ProxyCommand says of the machine", () => {
  const printed = "host c\nhostname h.org\nport 2200\nuser me\nproxycommand nc -X 5 %h %p %r %n 100%%\n";
  expect(parseSettings(printed, "c", {}).proxyCommand).toBe("nc -X 5 h.org 2200 me c 100%");
});

it.each([
  ["host", ["host", 22, userInfo().username]],
  ["me@host", ["host", 22, "me"]],
  ["ssh://me@host:2222", ["host", 2222, "me"]],
  ["ssh://host:2222/", ["host", 2222, userInfo().username]],
  ["me@[::1]:2200", ["::1", 2200, "me"]],
])("reads the address %s where there is no ssh to ask", (destination, expected) => {
  const { host, port, user, identityFiles, methods } = plainSettings(destination, {});
  expect([host, port, user]).toEqual(expected);
  expect(identityFiles).toContain(`${HOME}/.ssh/id_ed25519`);
  expect(methods.size).toBe(3);
});
