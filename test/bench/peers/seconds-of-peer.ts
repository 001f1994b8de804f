import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PreparedPeer } from "./peer.ts";

/** Seconds of an engine's whole command, in a folder of its own that everybody may write to. */
export function secondsOfPeer(parent: string, { files, argv: [program, ...args], env }: PreparedPeer): number {
  const cwd = mkdtempSync(join(parent, "wf-peer-"));
  chmodSync(cwd, 0o777);
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
    const start = performance.now();
    const options = { cwd, env: { ...process.env, ...env }, encoding: "utf8" } as const;
    const { status, stderr, stdout } = spawnSync(program, args, options);
    if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout.slice(-1000)}${stderr.slice(-2000)}`);
    return (performance.now() - start) / 1000;
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
