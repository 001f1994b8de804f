/** One connection, a bounded number of channels, and a budget of commands. */
import { expect, it } from "vitest";
import { connectTo, describeWithSsh, signal, startServer, temporaryFolder } from "./ssh-site.ts";

const numbers = Array.from({ length: 100 }, (_, index) => String(index));

describeWithSsh("limits", () => {
  it("100 commands and files at once go over one connection, within the server's ten channels", async () => {
    const server = await startServer({ config: ["MaxSessions 10"] });
    const site = connectTo(server);
    const folder = temporaryFolder();
    const stay = new AbortController();
    const watcher = await site.open({ argv: ["sleep", "300"] }, stay.signal);
    watcher.stdout.resume();
    watcher.stderr.resume();
    const commands = numbers.map((number) => site.run({ argv: ["echo", number] }, signal));
    const files = numbers.map((number) => site.writeFile({ path: `${folder}/${number}`, content: number }, signal));
    expect((await Promise.all(commands)).map(({ stdout }) => stdout.trim())).toEqual(numbers);
    await Promise.all(files);
    expect((await site.list(folder, signal))?.length).toBe(100);
    expect(site.counts).toMatchObject({ connections: 1, commands: 101, commandsWaiting: 0, channelsPeak: 8 });
    expect(server.logins).toBe(1);

    // sshd refuses channels for a moment after so many have closed: that must not count as a lower limit.
    const watchers = await Promise.all(
      numbers.slice(0, 5).map(() => site.open({ argv: ["sleep", "300"] }, stay.signal)),
    );
    for (const { stdout, stderr } of watchers) {
      stdout.resume();
      stderr.resume();
    }
    expect(await site.run({ argv: ["echo", "on"] }, signal)).toMatchObject({ stdout: "on\n" });
    stay.abort(new Error("enough"));
    await Promise.all([watcher, ...watchers].map(({ exit }) => exit));
  });

  it("a server that allows fewer channels is believed", async () => {
    const site = connectTo(await startServer({ config: ["MaxSessions 3"] }));
    const results = await Promise.all([
      ...numbers.slice(0, 30).map((number) => site.run({ argv: ["echo", number] }, signal)),
      site.stat("/", signal),
    ]);
    expect(results.length).toBe(31);
    await Promise.all(numbers.slice(0, 30).map((number) => site.run({ argv: ["echo", number] }, signal)));
    expect(site.counts.connections).toBe(1);
  });

  it("a server that allows a single one is an error that says what is needed", async () => {
    const site = connectTo(await startServer({ config: ["MaxSessions 1"] }));
    await site.stat("/", signal);
    await expect(site.run({ argv: ["true"] }, signal)).rejects.toMatchObject({
      code: "WF_SSH_CHANNEL",
      hint: expect.stringContaining("MaxSessions"),
    });
  });

  it("commands beyond the budget wait, and can be given up while they do", async () => {
    const site = connectTo(await startServer(), { budget: { commands: 3, everyMs: 60_000 } });
    const patience = new AbortController();
    const waiting = numbers.slice(0, 10).map((number) => site.run({ argv: ["echo", number] }, patience.signal));
    const settled = Promise.allSettled(waiting);
    await Promise.all(waiting.slice(0, 3));
    expect(site.counts).toMatchObject({ commands: 3, commandsWaiting: 7 });
    patience.abort(new Error("enough"));
    expect((await settled).map(({ status }) => status).filter((status) => status === "rejected").length).toBe(7);
    expect(site.counts).toMatchObject({ commands: 3, commandsWaiting: 0 });
  });
});
