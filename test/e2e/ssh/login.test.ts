/** The ways to show who one is, against a real sshd. */
import { spawn, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ask, Question } from "@wf/transport";
import { makeKey, type SshServer } from "@wf/transport/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const hello = { argv: ["echo", "hello"] } as const;

/** Answers with what it is given, in turns, and notes what it was asked. */
function answering(...answers: string[]): { ask: Ask; questions: Question[] } {
  const questions: Question[] = [];
  const ask: Ask = async (question) => {
    questions.push(question);
    return question.prompts.map(() => answers.shift() ?? "");
  };
  return { ask, questions };
}

describeWithSsh("logging in", () => {
  let server: SshServer;
  let folder: string;
  beforeAll(async () => {
    server = await startServer();
    folder = temporaryFolder();
  });

  const newKey = (name: string, passphrase = "", type = "ed25519") => {
    const file = join(folder, name);
    makeKey(file, passphrase, type);
    return file;
  };

  it.each(["ed25519", "ecdsa", "rsa"])("takes a key of type %s", async (type) => {
    const file = newKey(`plain-${type}`, "", type);
    server.authorizeOnly(file);
    const site = connectTo(server, { configFile: server.clientConfig(`IdentityFile ${file}`, "IdentitiesOnly yes") });
    expect(await site.run(hello, signal)).toMatchObject({ code: 0, stdout: "hello\n" });
  });

  it("asks for the passphrase of a key that the machine takes, until it is right, and once for all connections", async () => {
    const file = newKey("locked", "open sesame");
    server.authorizeOnly(file);
    rmSync(`${file}.pub`); // the public half is in the key itself
    const { ask, questions } = answering("wrong", "open sesame");
    const site = connectTo(server, { configFile: server.clientConfig(`IdentityFile ${file}`), ask });
    expect(await site.run(hello, signal)).toMatchObject({ code: 0 });
    await server.kill();
    await server.up();
    expect(await site.run({ ...hello, isRepeatable: true }, signal)).toMatchObject({ code: 0 });
    expect(site.counts.connections).toBe(2);
    expect(questions.map(({ kind, from }) => [kind, from])).toEqual([
      ["passphrase", file],
      ["passphrase", file],
    ]);
    expect(questions[0]?.prompts[0]?.isHidden).toBe(true);
  });

  it("does not ask for the passphrase of a key that the machine refuses", async () => {
    server.authorizeOnly(server.identityFile);
    const { ask, questions } = answering("open sesame");
    const file = newKey("locked-and-refused", "open sesame");
    const site = connectTo(server, { configFile: server.clientConfig(`IdentityFile ${file}`), ask });
    expect(await site.run(hello, signal)).toMatchObject({ code: 0 }); // by the next key
    expect(questions).toEqual([]);
  });

  it("says what to type where a passphrase is needed and nobody can be asked", async () => {
    const file = newKey("locked-alone", "open sesame");
    server.authorizeOnly(file);
    const config = server.clientConfig(`IdentityFile ${file}`);
    await expect(connectTo(server, { configFile: config }).run(hello, signal)).rejects.toMatchObject({
      code: "WF_SSH_AUTH",
      hint: `Hand the key to the agent before: ssh-add ${file}`,
    });
  });

  it("takes keys from the agent, which sign with sha2 where they are RSA keys", async () => {
    const keys = [newKey("agent-other"), newKey("agent-rsa", "", "rsa")];
    server.authorizeOnly(keys[1] as string);
    const agent = await startAgent(...keys);
    const site = connectTo(server, { configFile: server.clientConfig(`IdentityAgent ${agent.socket}`) });
    expect(await site.run(hello, signal)).toMatchObject({ code: 0 });
    agent.stop();
  });

  it("leaves the agent's other keys out where IdentitiesOnly says so", async () => {
    const [named, other] = [newKey("agent-named"), newKey("agent-unnamed")];
    server.authorizeOnly(named);
    const agent = await startAgent(other, named);
    rmSync(named); // its public half says which of the agent's keys is meant
    const before = server.failedLogins;
    const lines = [`IdentityAgent ${agent.socket}`, "IdentitiesOnly yes", `IdentityFile ${named}.pub`];
    const site = connectTo(server, { configFile: server.clientConfig(...lines) });
    expect(await site.run(hello, signal)).toMatchObject({ code: 0 });
    expect(server.failedLogins).toBe(before);
    agent.stop();
  });

  it("is refused with a wrong key, says so, and never tries again", async () => {
    server.authorizeOnly();
    const site = connectTo(server);
    const refused = { code: "WF_SSH_AUTH", message: expect.stringContaining(`${server.identityFile} was refused`) };
    await expect(site.run(hello, signal)).rejects.toMatchObject({
      ...refused,
      where: `${server.user}@127.0.0.1:${server.port}`,
    });
    await expect(site.run({ ...hello, isRepeatable: true }, signal)).rejects.toMatchObject(refused);
    await expect(site.readFile("/etc/hostname", signal)).rejects.toMatchObject(refused);
    expect(site.counts).toMatchObject({ connections: 0, connectionAttempts: 1 });
  });

  it("says how to make a key where there is none", async () => {
    const config = join(folder, "no-key");
    const lines = ["Host site", "HostName 127.0.0.1", `Port ${server.port}`, "IdentityFile none", "IdentityAgent none"];
    writeFileSync(config, [...lines, `UserKnownHostsFile ${server.knownHostsFile}`, ""].join("\n"));
    await expect(connectTo(server, { configFile: config }).run(hello, signal)).rejects.toMatchObject({
      code: "WF_SSH_AUTH",
      message: expect.stringContaining("no key to offer"),
      hint: expect.stringContaining("ssh-copy-id site"),
    });
  });
});

/** An agent of its own, with these keys in it. */
async function startAgent(...keys: readonly string[]): Promise<{ socket: string; stop: () => void }> {
  const socket = join(temporaryFolder(), "agent");
  const agent = spawn("ssh-agent", ["-D", "-a", socket], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((resolve) => agent.stdout.once("data", resolve));
  const { status, stderr } = spawnSync("ssh-add", keys, {
    env: { ...process.env, SSH_AUTH_SOCK: socket },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  const stop = () => agent.kill();
  afterAll(stop);
  return { socket, stop };
}
