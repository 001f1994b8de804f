/** Connections that end when they should not: what was sent stays sent, and nothing is done twice unasked. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "@wf/testing";
import type { ConnectionEvent, ContentFile, SshOptions, Transport } from "@wf/transport";
import { freePort, type SshServer } from "@wf/transport/testing";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FlakyWire } from "./flaky-wire.ts";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const MEGABYTE = 1 << 20;

describeWithSsh("a connection that is cut", () => {
  let server: SshServer;
  let wire: FlakyWire;
  let here: string;
  let there: string;
  let events: ConnectionEvent[];
  beforeAll(async () => {
    server = await startServer();
  });
  beforeEach(async () => {
    wire = await FlakyWire.to(server.port);
    here = temporaryFolder();
    there = temporaryFolder();
    events = [];
  });
  afterEach(() => wire.close());

  const overWire = (options: Partial<SshOptions> = {}): Transport =>
    connectTo(server, {
      configFile: server.clientConfig(`Port ${wire.port}`),
      onEvent: (event) => events.push(event),
      ...options,
    });

  const object = (bytes: number): ContentFile => {
    const content = randomBytes(bytes);
    const hash = createHash("sha256").update(content).digest("hex");
    writeFileSync(join(here, hash), content);
    return { hash, sizeBytes: bytes, local: join(here, hash), remote: `objects/${hash}`, mode: 0o444 };
  };

  it("in the middle of an upload: it goes on where it was", async () => {
    const file = object(10 * MEGABYTE);
    const site = overWire();
    await site.stat("/", signal);
    wire.cutAfter(5 * MEGABYTE);
    await site.upload({ local: file.local, remote: join(there, "file") }, signal);
    expect(readFileSync(join(there, "file")).equals(readFileSync(file.local))).toBe(true);
    expect(site.counts.connections).toBe(2);
    expect(wire.sentBytes).toBeLessThan(14 * MEGABYTE);
    expect(readdirSync(there)).toEqual(["file"]);
    expect(events.map(({ type }) => type)).toEqual(["connected", "lost", "waiting", "connected"]);
  });

  it("by a server that is killed in the middle of an upload and comes back: it goes on where it was", async () => {
    const file = object(10 * MEGABYTE);
    const site = overWire();
    await site.stat("/", signal);
    const halfWay = wire.holdAfter(4 * MEGABYTE);
    const uploading = site.upload({ local: file.local, remote: join(there, "file") }, signal);
    await halfWay;
    await server.kill();
    await until("the client to know", () => events.some(({ type }) => type === "lost"), { lastSeen: () => events });
    await server.up();
    await uploading;
    expect(readFileSync(join(there, "file")).equals(readFileSync(file.local))).toBe(true);
    expect(wire.sentBytes).toBeLessThan(14 * MEGABYTE);
  });

  it("and a process that died with half a file sent: the next one goes on", async () => {
    const file = object(8 * MEGABYTE);
    const target = { local: file.local, remote: join(there, "file") };
    const abort = new AbortController();
    const first = overWire();
    const halfWay = wire.holdAfter(5 * MEGABYTE);
    const uploading = first.upload(target, abort.signal);
    uploading.catch(() => undefined);
    await halfWay;
    abort.abort(new Error("killed"));
    await expect(uploading).rejects.toThrow("killed");
    await first.close();
    expect(existsSync(join(there, "file"))).toBe(false);
    const before = wire.sentBytes;
    await overWire().upload(target, signal);
    expect(readFileSync(join(there, "file")).equals(readFileSync(file.local))).toBe(true);
    expect(wire.sentBytes - before).toBeLessThan(7 * MEGABYTE);
  });

  it("in the middle of many objects, small and large: only what is missing is sent again", async () => {
    const files = [...Array.from({ length: 200 }, () => object(10_000)), object(5 * MEGABYTE)];
    const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const site = overWire();
    await site.stat("/", signal);
    wire.cutAfter(total / 2);
    expect(await site.putObjects(there, files, signal)).toEqual({ moved: 201, movedBytes: total, kept: 0 });
    for (const { hash, remote } of files)
      expect(
        createHash("sha256")
          .update(readFileSync(join(there, remote)))
          .digest("hex"),
      ).toBe(hash);
    expect(site.counts.connections).toBe(2);
    expect(wire.sentBytes).toBeLessThan(total * 1.5);
  });

  it("in the middle of many objects on their way back: only what is missing is fetched again", async () => {
    const files = Array.from({ length: 600 }, () => object(20_000));
    const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const site = overWire();
    await site.putObjects(there, files, signal);
    const back = temporaryFolder();
    const wanted = files.map((file) => ({ ...file, local: join(back, file.hash) }));
    const before = wire.receivedBytes;
    wire.cutAfterReceived(total / 2);
    expect(await site.getObjects(there, wanted, signal)).toEqual({ moved: 600, movedBytes: total, kept: 0 });
    for (const { hash, local } of wanted)
      expect(createHash("sha256").update(readFileSync(local)).digest("hex")).toBe(hash);
    expect(site.counts.connections).toBe(2);
    expect(wire.receivedBytes - before).toBeLessThan(total * 1.35);
  });

  it("in the middle of a download: it goes on where it was", async () => {
    const file = object(10 * MEGABYTE);
    const site = overWire();
    await site.stat("/", signal);
    const before = wire.receivedBytes;
    wire.cutAfterReceived(7 * MEGABYTE);
    await site.download({ local: join(there, "back"), remote: file.local }, signal);
    expect(readFileSync(join(there, "back")).equals(readFileSync(file.local))).toBe(true);
    expect(readdirSync(there)).toEqual(["back"]);
    expect(site.counts.connections).toBe(2);
    const receivedAgain = wire.receivedBytes - before - 7 * MEGABYTE;
    expect(receivedAgain).toBeLessThan(6 * MEGABYTE);
  });

  it("under a command: it fails, as it may have run; one that may run twice is run again", async () => {
    const site = overWire();
    const ledger = join(there, "ledger");
    const script = `echo started >> ${ledger}; [ $(wc -l < ${ledger}) -gt 1 ] || exec sleep 60; echo done`;
    const start = async (isRepeatable: boolean) => {
      const running = site.run({ argv: ["sh", "-c", script], isRepeatable }, signal);
      running.catch(() => undefined);
      await until("the command", () => existsSync(ledger));
      wire.cut();
      return await running;
    };
    await expect(start(false)).rejects.toMatchObject({
      code: "WF_SSH_LOST",
      hint: expect.stringContaining("wf resume"),
    });
    writeFileSync(ledger, "");
    const again = site.run({ argv: ["sh", "-c", script], isRepeatable: true }, signal);
    await until("the command", () => readFileSync(ledger, "utf8") !== "");
    wire.cut();
    expect(await again).toMatchObject({ code: 0, stdout: "done\n" });
    expect(readFileSync(ledger, "utf8")).toBe("started\nstarted\n");
  });

  it("under a process: its end says so, and commands go on", async () => {
    const site = overWire();
    const process = await site.open({ argv: ["sh", "-c", "echo up; exec sleep 60"] }, signal);
    process.stderr.resume();
    await new Promise((resolve) => process.stdout.once("data", resolve));
    wire.cut();
    await expect(process.exit).rejects.toMatchObject({ code: "WF_SSH_LOST" });
    expect(await site.run({ argv: ["echo", "on"] }, signal)).toMatchObject({ stdout: "on\n" });
    expect(site.counts.channelsOpen).toBe(0);
  });

  it("without a word: keep-alives find out, and it is made again", async () => {
    const site = overWire({ keepAliveMs: 1_000 });
    await site.run({ argv: ["true"] }, signal);
    wire.freeze();
    const running = site.run({ argv: ["echo", "on"], isRepeatable: true }, signal);
    await until("the loss", () => events.some(({ type }) => type === "lost"), { lastSeen: () => events });
    wire.thaw();
    expect(await running).toMatchObject({ stdout: "on\n" });
    expect(events).toContainEqual(expect.objectContaining({ type: "lost", reason: "Keepalive timeout" }));
  });

  it("again and again: many callers share one try, and the pauses grow", async () => {
    const site = overWire();
    await site.run({ argv: ["true"] }, signal);
    const before = wire.connections;
    for (let round = 0; round < 3; round += 1) {
      wire.cut();
      await Promise.all(Array.from({ length: 20 }, () => site.stat("/", signal)));
    }
    expect(wire.connections - before).toBe(3);
    const pauses = events.flatMap((event) => (event.type === "waiting" ? [event.delayMs] : []));
    expect(pauses.length).toBe(3);
    expect(pauses[2]).toBeGreaterThan((pauses[0] as number) * 2);
  });

  it("for longer than its patience: it says that the machine cannot be reached", async () => {
    const site = overWire({ reconnect: { patienceMs: 2_000 } });
    await site.run({ argv: ["true"] }, signal);
    wire.close();
    await expect(site.run({ argv: ["true"] }, signal)).rejects.toMatchObject({ code: "WF_SSH_UNREACHABLE" });
    expect(events.filter(({ type }) => type === "waiting").length).toBeGreaterThan(1);
  });

  it("never makes more tries a minute than allowed", async () => {
    const site = overWire({ reconnect: { attemptsPerMinute: 2 } });
    await site.run({ argv: ["true"] }, signal);
    wire.cut();
    await site.run({ argv: ["true"] }, signal);
    wire.cut();
    const soon = AbortSignal.timeout(600);
    await expect(site.run({ argv: ["true"] }, soon)).rejects.toMatchObject({ name: "TimeoutError" });
    expect([site.counts.connectionAttempts, wire.connections]).toEqual([2, 2]);
  });
});

describeWithSsh("a machine that cannot be reached", () => {
  const reach = (server: SshServer, line: string, silenceMs?: number) =>
    connectTo(server, { configFile: server.clientConfig(line), silenceMs }).run({ argv: ["true"] }, signal);

  it("is told apart: no such port, no such name, no answer, no ssh", async () => {
    const server = await startServer();
    const where = expect.stringContaining(`${server.user}@`);
    await expect(reach(server, `Port ${await freePort()}`)).rejects.toMatchObject({
      code: "WF_SSH_UNREACHABLE",
      message: expect.stringContaining("nothing answers on this port"),
      where,
    });
    await expect(reach(server, "HostName no-such-host.invalid")).rejects.toMatchObject({
      code: "WF_SSH_UNREACHABLE",
      message: expect.stringMatching(/no machine has this name|cannot be looked up/),
      where,
    });
    const mute = await FlakyWire.to(server.port);
    mute.freeze();
    await expect(reach(server, `Port ${mute.port}`, 500)).rejects.toMatchObject({
      code: "WF_SSH_UNREACHABLE",
      message: expect.stringContaining("does not answer"),
    });
    mute.close();
    await expect(reach(server, "NoSuchSetting yes")).rejects.toMatchObject({
      code: "WF_SSH_CONFIG",
      message: expect.stringContaining("nosuchsetting"),
      hint: expect.stringContaining("ssh -G"),
    });
  });
});
