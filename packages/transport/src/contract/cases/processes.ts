import { createInterface } from "node:readline";
import { until } from "@wf/testing";
import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { isAlive } from "../waiting.ts";

/** Processes that live as long as they like. */
export const processes: readonly ContractCase[] = [
  {
    name: "a process answers while it runs, and ends when its input does",
    async run({ transport, signal }) {
      const script = 'while read -r line; do echo "got $line"; done; echo bye >&2; exit 7';
      const process = await transport.open({ argv: ["sh", "-c", script] }, signal);
      const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
      const complaints = createInterface({ input: process.stderr })[Symbol.asyncIterator]();
      for (const word of ["one", "two"]) {
        process.stdin.write(`${word}\n`);
        expect(await lines.next()).toMatchObject({ value: `got ${word}` });
      }
      process.stdin.end();
      expect(await complaints.next()).toMatchObject({ value: "bye" });
      expect(await process.exit).toEqual({ code: 7, signal: null });
    },
  },
  {
    name: "an abort ends a process, and what it has started",
    async run({ transport, root, signal }) {
      const abort = new AbortController();
      const argv = ["sh", "-c", "sleep 300 & echo $! > pid; wait"] as const;
      const process = await transport.open({ argv, cwd: root }, abort.signal);
      process.stdout.resume();
      process.stderr.resume();
      await until("the process", () => isAlive(transport, `${root}/pid`, signal));
      abort.abort(new Error("enough"));
      expect(await process.exit).toEqual({ code: null, signal: "SIGTERM" });
      await until("the end of what it started", async () => !(await isAlive(transport, `${root}/pid`, signal)));
    },
  },
  {
    name: "a process is sent signals",
    async run({ transport, signal }) {
      const argv = ["sh", "-c", "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done"] as const;
      const process = await transport.open({ argv }, signal);
      process.stderr.resume();
      const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
      expect(await lines.next()).toMatchObject({ value: "ready" });
      process.kill("SIGTERM");
      expect(await lines.next()).toMatchObject({ value: "caught" });
      expect(await process.exit).toEqual({ code: 5, signal: null });
    },
  },
  {
    name: "commands still run beside processes that stay",
    async run({ transport, signal }) {
      const abort = new AbortController();
      const stay = () => transport.open({ argv: ["sleep", "300"] }, abort.signal);
      const staying = await Promise.all([stay(), stay(), stay()]);
      for (const { stdout, stderr } of staying) {
        stdout.resume();
        stderr.resume();
      }
      expect(await transport.run({ argv: ["echo", "on"] }, signal)).toMatchObject({ stdout: "on\n" });
      expect(transport.counts.channelsOpen).toBeGreaterThanOrEqual(3);
      abort.abort(new Error("enough"));
      await Promise.all(staying.map(({ exit }) => exit));
    },
  },
];
