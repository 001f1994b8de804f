/** Machines that are reached through others, as the user's own configuration says. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Transport } from "@wf/transport";
import { freePort, type SshServer } from "@wf/transport/testing";
import { beforeAll, expect, it } from "vitest";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const hello = { argv: ["echo", "hello"] } as const;

describeWithSsh("a route", () => {
  let first: SshServer;
  let second: SshServer;
  let site: SshServer;
  let folder: string;
  beforeAll(async () => {
    [first, second, site] = await Promise.all([startServer(), startServer(), startServer()]);
    folder = temporaryFolder();
  });

  const block = (name: string, server: SshServer, ...lines: readonly string[]) =>
    [
      `Host ${name}`,
      ...lines,
      "HostName 127.0.0.1",
      `Port ${server.port}`,
      `IdentityFile ${server.identityFile}`,
      `UserKnownHostsFile ${server.knownHostsFile}`,
      "IdentitiesOnly yes",
    ].join("\n  ");

  const through = (name: string, ...blocks: readonly string[]): Transport => {
    const configFile = join(folder, name);
    writeFileSync(configFile, `${blocks.join("\n")}\n`);
    return connectTo(site, { configFile });
  };

  it("leads through two machines, each with its own key and its own host key, over one connection", async () => {
    const transport = through(
      "two",
      block("site", site, "ProxyJump gate1,gate2"),
      block("gate1", first),
      block("gate2", second, "ProxyJump never-asked"),
    );
    const before = [first.logins, second.logins, site.logins];
    const results = await Promise.all(Array.from({ length: 20 }, () => transport.run(hello, signal)));
    expect(results.every(({ stdout }) => stdout === "hello\n")).toBe(true);
    await transport.writeFile({ path: join(folder, "note"), content: "through" }, signal);
    expect(String(await transport.readFile(join(folder, "note"), signal))).toBe("through");
    expect([first.logins, second.logins, site.logins]).toEqual(before.map((count) => count + 1));
    expect(transport.counts).toMatchObject({ connections: 1, connectionAttempts: 1 });
    expect(transport.counts.sentBytes).toBeGreaterThan(1000);
  });

  it("takes a jump of a jump, from an included file, with the user and port in the jump itself", async () => {
    writeFileSync(join(folder, "included"), `${block("gate1", first)}\n${block("gate2", second, "ProxyJump gate1")}\n`);
    const jump = `ProxyJump ssh://${second.user}@gate2:${second.port}`;
    const transport = through("nested", `Include ${join(folder, "included")}`, block("site", site, jump));
    expect(await transport.run(hello, signal)).toMatchObject({ stdout: "hello\n" });
  });

  it("is made again from its beginning when the machine in the middle is gone for a moment", async () => {
    const transport = through("cut", block("site", site, "ProxyJump gate1"), block("gate1", first));
    await transport.run(hello, signal);
    await first.kill();
    await first.up();
    expect(await transport.run({ ...hello, isRepeatable: true }, signal)).toMatchObject({ stdout: "hello\n" });
    expect(transport.counts.connections).toBe(2);
  });

  it("says which machine of it was not let in to, not known, or not reached", async () => {
    const wrongKey = block("gate1", first).replace(first.identityFile, second.identityFile);
    await expect(
      through("a", block("site", site, "ProxyJump gate1"), wrongKey).run(hello, signal),
    ).rejects.toMatchObject({
      code: "WF_SSH_AUTH",
      where: `${first.user}@127.0.0.1:${first.port}`,
    });
    const stranger = block("gate1", first).replace(first.knownHostsFile, "/dev/null");
    await expect(
      through("b", block("site", site, "ProxyJump gate1"), stranger).run(hello, signal),
    ).rejects.toMatchObject({
      code: "WF_SSH_HOST_KEY",
      where: `${first.user}@127.0.0.1:${first.port}`,
    });
    const nowhere = await freePort();
    const gone = block("site", site, "ProxyJump gate1", `Port ${nowhere}`);
    await expect(through("c", gone, block("gate1", first)).run(hello, signal)).rejects.toMatchObject({
      code: "WF_SSH_UNREACHABLE",
      message: expect.stringContaining(`through ${first.user}@127.0.0.1:${first.port}`),
      where: `${site.user}@127.0.0.1:${nowhere}`,
    });
    const circle = [block("site", site, "ProxyJump gate1"), block("gate1", first, "ProxyJump site")];
    await expect(through("d", ...circle).run(hello, signal)).rejects.toMatchObject({
      code: "WF_SSH_CONFIG",
      message: expect.stringContaining("circle"),
    });
  });

  it("may be a command of the user", async () => {
    const gate = join(folder, "gate");
    writeFileSync(gate, `${block("gate1", first)}\n`);
    const command = `ProxyCommand ssh -F ${gate} -W %h:%p gate1`;
    const transport = through("command", block("site", site, command));
    expect(await transport.run(hello, signal)).toMatchObject({ stdout: "hello\n" });
    expect(transport.counts.receivedBytes).toBeGreaterThan(1000);
    const broken = through("broken", block("site", site, "ProxyCommand wf-no-such-program %h"));
    await expect(broken.run(hello, signal)).rejects.toMatchObject({ code: "WF_SSH_UNREACHABLE" });
  });
});
