import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";

/** The time of day as programs see it that are started with `env`. */
export interface TurnedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Also for those that run already. */
  turn(seconds: number): void;
  close(): void;
}

/** Undefined where there is no C compiler, or no Linux. */
export function turnedClock(): TurnedClock | undefined {
  if (process.platform !== "linux") return undefined;
  const folder = mkdtempSync(join(tmpdir(), "wf-clock-"));
  const [library, file] = [join(folder, "turned-clock.so"), join(folder, "seconds")];
  const source = join(REPOSITORY, "test/torture/turned-clock.c");
  const compiled = spawnSync("cc", ["-O1", "-shared", "-fPIC", `-DCLOCK_FILE="${file}"`, "-o", library, source]);
  if (compiled.status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  const turn = (seconds: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(seconds));
    writeFileSync(file, bytes, { flag: "r+" });
  };
  writeFileSync(file, Buffer.alloc(8));
  return { env: { LD_PRELOAD: library }, turn, close: () => rmSync(folder, { recursive: true, force: true }) };
}
