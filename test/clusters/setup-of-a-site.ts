import { type BackendHarness, ContractSession, outputText, shellJob } from "@wf/backend/contract";
import { expect } from "vitest";

/** Lines as `module load` would run them, with what is not for tasks between them. */
export const SETUP = [
  "export LD_LIBRARY_PATH=/opt/cuda/lib OMP_NUM_THREADS=4 OWN=setup",
  'export PATH="/opt/of-setup/bin:$PATH" A_TOKEN=never-written SLURM_OWN=x _CONDOR_OWN=x; here_alone=1',
  "unset HOME",
];
const SEEN = [
  "LD_LIBRARY_PATH",
  "OMP_NUM_THREADS",
  "OWN",
  "A_TOKEN",
  "SLURM_OWN",
  "_CONDOR_OWN",
  "WF_SETUP_AFTER",
  "HOME",
];

/** What the lines change reaches a task, after what the task says itself, and is said in its record. */
export async function expectSetUp(harness: BackendHarness): Promise<void> {
  const session = new ContractSession(harness.create());
  try {
    await session.open();
    const print = SEEN.map((name) => `echo "$${name}"`).join("; ");
    const script = `{ ${print}; echo "$PATH"; } > out/seen`;
    const outputs = [{ name: "seen", path: "out/seen", kind: "file" as const }];
    await session.submit(shellJob(harness, "a", script, { env: { OWN: "task" }, outputs }));
    const record = await session.finished("a");
    expect(record).toMatchObject({ state: "succeeded", failure: null });
    const [path, ...lines] = outputText(harness, record, "seen").trimEnd().split("\n").toReversed();
    expect(lines.toReversed()).toEqual(["/opt/cuda/lib", "4", "task", "", "", "", "", ""]);
    expect(path).toMatch(/^\/opt\/of-setup\/bin:.*\/bin/);
    expect(record.setup?.set).toEqual({
      LD_LIBRARY_PATH: "/opt/cuda/lib",
      OMP_NUM_THREADS: "4",
      OWN: "setup",
      PATH: path,
      A_TOKEN: null,
    });
    expect(record.setup?.unset).toEqual(["HOME"]);
  } finally {
    await session.clear();
    await harness.dispose();
  }
}
