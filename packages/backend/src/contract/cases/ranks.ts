import { expect } from "vitest";
import type { ContractCase } from "../contract-case.ts";
import { outputText, shellJob } from "../specs.ts";

const TWO = { ranks: { nodes: 1, perNode: 2, launch: null }, cpus: 2 };
const seen = [{ name: "seen", path: "out/seen", kind: "file" as const }];

/** A task of several processes. */
export const ranks: readonly ContractCase[] = [
  {
    name: "a distributed task: its ranks run at once, share the sandbox, and each has its record",
    async run({ harness, open }) {
      const session = await open();
      const script = [
        'echo "$WF_RANK $WF_WORLD_SIZE $RANK $LOCAL_RANK" > "tmp/of-$WF_RANK"; mv "tmp/of-$WF_RANK" "tmp/$WF_RANK"',
        'until [ -e "tmp/$((1 - WF_RANK))" ]; do sleep 0.05; done',
        'test "$WF_RANK" = 1 || cat tmp/0 tmp/1 > out/seen',
      ].join("; ");
      await session.submit({ ...shellJob(harness, "a1", script, { ...TWO, outputs: seen }), cpus: 2 });
      const record = await session.finished("a1");
      expect(record).toMatchObject({
        state: "succeeded",
        ranks: [
          { rank: 0, exitCode: 0 },
          { rank: 1, exitCode: 0 },
        ],
      });
      expect(outputText(harness, record, "seen")).toBe("0 2 0 0\n1 2 1 1\n");
      const [first, second] = record.ranks ?? [];
      expect(record.usage.minorFaults).toBe((first?.usage?.minorFaults ?? 0) + (second?.usage?.minorFaults ?? 0));
    },
  },
  {
    name: "a rank that fails: the others are ended, and the record names it",
    async run({ harness, open }) {
      const session = await open();
      const script = 'test "$WF_RANK" = 0 || exit 3; exec sleep 100';
      await session.submit({ ...shellJob(harness, "a1", script, TWO), cpus: 2 });
      const { failure, exitCode } = await session.finished("a1");
      expect(failure).toMatchObject({ class: "exit", rank: 1, message: expect.stringMatching(/^rank 1 of 2 on /) });
      expect(exitCode).toBe(3);
    },
  },
];
