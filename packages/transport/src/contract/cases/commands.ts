import { until } from "@wf/testing";
import { expect } from "vitest";
import { AWKWARD_WORDS } from "../awkward.ts";
import type { ContractCase } from "../contract-case.ts";
import { isAlive } from "../waiting.ts";

/** Commands that run to their end. */
export const commands: readonly ContractCase[] = [
  {
    name: "a command reads its input, prints on two streams, and ends with a code",
    async run({ transport, signal }) {
      const argv = ["sh", "-c", "cat; echo oops >&2; exit 3"] as const;
      const result = await transport.run({ argv, stdin: "given\n" }, signal);
      expect(result).toEqual({ code: 3, signal: null, stdout: "given\n", stderr: "oops\n" });
    },
  },
  {
    name: "any argument and any variable arrives unchanged",
    async run({ transport, root, signal }) {
      const words = [...AWKWARD_WORDS, ""];
      const printed = await transport.run({ argv: ["printf", "%s\\0", ...words] }, signal);
      expect(printed.stdout.split("\0").slice(0, -1)).toEqual(words);
      const env = { WF_AWKWARD: AWKWARD_WORDS.join(" ") };
      const seen = await transport.run({ argv: ["sh", "-c", 'printf %s "$WF_AWKWARD $PWD"'], env, cwd: root }, signal);
      expect(seen.stdout).toBe(`${env.WF_AWKWARD} ${root}`);
    },
  },
  {
    name: "a program that does not exist ends with 127, and a folder that does not exist fails",
    async run({ transport, root, signal }) {
      const missing = await transport.run({ argv: ["wf-no-such-program"] }, signal);
      expect(missing).toMatchObject({ code: 127, stderr: expect.stringContaining("wf-no-such-program") });
      const nowhere = await transport.run({ argv: ["true"], cwd: `${root}/nowhere` }, signal);
      expect(nowhere).toMatchObject({ code: 126, stderr: expect.stringContaining("nowhere") });
    },
  },
  {
    name: "a command that a signal has ended says which",
    async run({ transport, signal }) {
      const result = await transport.run({ argv: ["sh", "-c", "kill -TERM $$"] }, signal);
      expect(result).toMatchObject({ code: null, signal: "SIGTERM" });
    },
  },
  {
    name: "a command that takes too long is ended, with what it has started",
    async run({ transport, root, signal }) {
      const argv = ["sh", "-c", "trap '' TERM; sleep 300 & echo $! > pid; wait"] as const;
      const running = transport.run({ argv, cwd: root, timeoutMs: 3_000 }, signal);
      await expect(running).rejects.toMatchObject({
        code: "WF_SITE_COMMAND",
        message: expect.stringContaining("3 s"),
      });
      expect(await transport.readFile(`${root}/pid`, signal), "the time was up before it had started").toBeDefined();
      await until("the end of what it started", async () => !(await isAlive(transport, `${root}/pid`, signal)));
    },
  },
  {
    name: "a command that prints too much is ended",
    async run({ transport, signal }) {
      const running = transport.run({ argv: ["yes"], maxOutputBytes: 100_000 }, signal);
      await expect(running).rejects.toMatchObject({
        code: "WF_SITE_COMMAND",
        message: expect.stringContaining("100000 bytes"),
      });
    },
  },
  {
    name: "an aborted command fails with the reason, and is ended",
    async run({ transport, root, signal }) {
      const abort = new AbortController();
      const argv = ["sh", "-c", "echo $$ > pid; sleep 300"] as const;
      const running = transport.run({ argv, cwd: root }, abort.signal);
      running.catch(() => undefined);
      await until("the command", () => isAlive(transport, `${root}/pid`, signal));
      const reason = new Error("enough");
      abort.abort(reason);
      await expect(running).rejects.toBe(reason);
      await until("the end of what it started", async () => !(await isAlive(transport, `${root}/pid`, signal)));
      await expect(transport.run({ argv: ["true"] }, abort.signal)).rejects.toBe(reason);
    },
  },
  {
    name: "many commands that are aborted at once are all ended",
    async run({ transport, root, signal }) {
      const abort = new AbortController();
      const files = [1, 2, 3, 4, 5, 6, 7].map((number) => `${root}/pid${number}`);
      const start = (file: string) =>
        transport.run({ argv: ["sh", "-c", 'echo $$ > "$1"; exec sleep 300', "sh", file] }, abort.signal);
      const running = Promise.allSettled(files.map(start));
      const allHave = (wanted: boolean) => async () =>
        (await Promise.all(files.map((file) => isAlive(transport, file, signal)))).every((alive) => alive === wanted);
      await until("all commands", async () => (await transport.list(root, signal))?.length === files.length);
      abort.abort(new Error("enough"));
      expect((await running).every(({ status }) => status === "rejected")).toBe(true);
      await until("the end of all commands", allHave(false));
    },
  },
  {
    name: "megabytes go in and come out",
    async run({ transport, signal }) {
      const text = "0123456789abcdef".repeat(200_000);
      const { stdout } = await transport.run({ argv: ["cat"], stdin: text }, signal);
      expect(stdout === text).toBe(true);
    },
  },
  {
    name: "a command may leave its input unread",
    async run({ transport, signal }) {
      const result = await transport.run({ argv: ["true"], stdin: "x".repeat(5_000_000) }, signal);
      expect(result.code).toBe(0);
    },
  },
  {
    name: "many commands at once all come back, and are counted",
    async run({ transport, signal }) {
      const before = transport.counts.commands;
      const numbers = Array.from({ length: 30 }, (_, index) => String(index));
      const results = await Promise.all(numbers.map((number) => transport.run({ argv: ["echo", number] }, signal)));
      expect(results.map(({ stdout }) => stdout.trim())).toEqual(numbers);
      expect(transport.counts.commands - before).toBe(30);
      expect(transport.counts.commandsWaiting).toBe(0);
    },
  },
];
