import { execFileSync } from "node:child_process";
import type { CondorPool } from "../clusters/condor-cluster.ts";

/** What a command of HTCondor prints on the submit host, in a folder that the user of the pool can enter. */
export function onSubmitHost({ commands, folder }: CondorPool, command: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: `${commands}:${process.env.PATH}` };
  return execFileSync(command, args, { cwd: folder, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The same over ssh. The arguments may not need quotes. */
export function overSsh({ sshConfig }: CondorPool, command: string, ...args: readonly string[]): string {
  return execFileSync("ssh", ["-nF", sshConfig, "condor", command, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}
