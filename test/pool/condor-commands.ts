import { execFileSync } from "node:child_process";
import type { CondorPool } from "../clusters/condor-cluster.ts";

/** What a command of HTCondor prints on the submit host. */
export function onSubmitHost({ commands }: CondorPool, command: string, ...args: readonly string[]): string {
  const env = { ...process.env, PATH: `${commands}:${process.env.PATH}` };
  return execFileSync(command, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The same over ssh. The arguments may not need quotes. */
export function overSsh({ sshConfig }: CondorPool, command: string, ...args: readonly string[]): string {
  return execFileSync("ssh", ["-nF", sshConfig, "condor", command, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}
