/** Whether a machine is the one that the user knows: nothing is accepted in silence. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeKey, type SshServer } from "@wf/transport/testing";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const hello = { argv: ["echo", "hello"] } as const;
const WELCOME = { code: 0, stdout: "hello\n" };

describeWithSsh("host keys", () => {
  let server: SshServer;
  let folder: string;
  let knownHosts: string;
  let name: string;
  beforeAll(async () => {
    server = await startServer();
    folder = temporaryFolder();
    name = `[127.0.0.1]:${server.port}`;
  });
  beforeEach(() => {
    knownHosts = join(folder, `known_hosts_${Math.random()}`);
  });

  const connect = (...files: readonly string[]) => {
    const lines = ["HostKeyAlias none", `UserKnownHostsFile ${[knownHosts, ...files].join(" ")}`];
    return connectTo(server, { configFile: server.clientConfig(...lines) }).run(hello, signal);
  };
  const otherKey = (type = "ed25519") => {
    const file = join(folder, `other-${Math.random()}`);
    makeKey(file, "", type);
    return readFileSync(`${file}.pub`, "utf8").split(" ").slice(0, 2).join(" ");
  };
  const fingerprint = () =>
    execFileSync("ssh-keygen", ["-lf", `${server.hostKeyFile}.pub`], { encoding: "utf8" }).split(" ")[1] as string;

  it("knows a machine by its name, by a hash of it, by a pattern, and in any of several files", async () => {
    writeFileSync(knownHosts, `# a comment\n\nother.example ${otherKey()}\n${server.knownHostLine(name)}`);
    expect(await connect()).toMatchObject(WELCOME);
    execFileSync("ssh-keygen", ["-H", "-f", knownHosts], { stdio: "pipe" });
    expect(readFileSync(knownHosts, "utf8")).not.toContain("127.0.0.1");
    expect(await connect()).toMatchObject(WELCOME);
    writeFileSync(knownHosts, server.knownHostLine("[127.0.*]:*,!evil"));
    expect(await connect()).toMatchObject(WELCOME);
    writeFileSync(knownHosts, "");
    const second = join(folder, "known hosts 2");
    writeFileSync(second, server.knownHostLine(name));
    expect(await connect(`"${second}"`)).toMatchObject(WELCOME);
  });

  it("refuses an unknown machine, and says what to type, which then works", async () => {
    const refusal = await connect().catch((error: unknown) => error as { code: string; message: string; hint: string });
    expect(refusal).toMatchObject({ code: "WF_SSH_HOST_KEY", where: `${server.user}@127.0.0.1:${server.port}` });
    if (!("hint" in refusal)) throw new Error("it was let in");
    expect(refusal.message).toContain(`ED25519 ${fingerprint()}`);
    const typed = refusal.hint.split("\n").at(-1) as string;
    execFileSync("sh", ["-c", typed]);
    expect(readFileSync(knownHosts, "utf8")).toBe(server.knownHostLine(name));
    expect(await connect()).toMatchObject(WELCOME);
  });

  it("does not take the key of another port or host for its own", async () => {
    writeFileSync(knownHosts, server.knownHostLine("127.0.0.1") + server.knownHostLine("[127.0.0.1]:1"));
    await expect(connect()).rejects.toMatchObject({
      code: "WF_SSH_HOST_KEY",
      message: expect.stringContaining("not known"),
    });
  });

  it("refuses a key that has changed, names the line, and says how to forget it", async () => {
    writeFileSync(knownHosts, `# first line\n${name} ${otherKey()}\n`);
    const refusal = await connect().catch((error: unknown) => error as { code: string; message: string; hint: string });
    expect(refusal).toMatchObject({ code: "WF_SSH_HOST_KEY", message: expect.stringContaining(`${knownHosts}:2`) });
    if (!("hint" in refusal)) throw new Error("it was let in");
    const typed = /ssh-keygen -R .*$/.exec(refusal.hint)?.[0] as string;
    execFileSync("sh", ["-c", typed], { stdio: "pipe" });
    await expect(connect()).rejects.toMatchObject({ message: expect.stringContaining("not known") });
  });

  it("refuses a key of another type than the known one", async () => {
    writeFileSync(knownHosts, `${name} ${otherKey("ecdsa")}\n`);
    await expect(connect()).rejects.toMatchObject({
      code: "WF_SSH_HOST_KEY",
      message: expect.stringContaining("ecdsa"),
    });
  });

  it("refuses a key that was revoked, even where it is known too", async () => {
    writeFileSync(
      knownHosts,
      `${server.knownHostLine(name)}@revoked * ${server.knownHostLine("x").split(" ").slice(1).join(" ")}`,
    );
    await expect(connect()).rejects.toMatchObject({
      code: "WF_SSH_HOST_KEY",
      message: expect.stringContaining("revoked"),
    });
  });

  it("asks a machine with several keys for the one that is known", async () => {
    const rsa = join(folder, "host-rsa");
    makeKey(rsa, "", "rsa");
    const two = await startServer({ config: [`HostKey ${rsa}`] });
    const [type, key] = readFileSync(`${rsa}.pub`, "utf8").split(" ");
    writeFileSync(knownHosts, `[127.0.0.1]:${two.port} ${type} ${key}\n`);
    const configFile = two.clientConfig("HostKeyAlias none", `UserKnownHostsFile ${knownHosts}`);
    expect(await connectTo(two, { configFile }).run(hello, signal)).toMatchObject(WELCOME);
  });

  it("is not asked again by later calls once it was refused", async () => {
    const configFile = server.clientConfig("HostKeyAlias none", `UserKnownHostsFile ${knownHosts}`);
    const site = connectTo(server, { configFile });
    await expect(site.run(hello, signal)).rejects.toMatchObject({ code: "WF_SSH_HOST_KEY" });
    await expect(site.stat("/", signal)).rejects.toMatchObject({ code: "WF_SSH_HOST_KEY" });
    expect(site.counts.connectionAttempts).toBe(1);
  });
});
