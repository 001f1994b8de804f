import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { WfError } from "@wf/protocol";
import { parseSettings, plainSettings, type SshSettings } from "./ssh-settings.ts";

const TIMEOUT_MS = 20_000;

/**
 * Asks the user's own ssh how it would reach a machine: aliases, patterns, `Match`, `Include` and system-wide settings
 * mean here exactly what they mean there. Where there is no ssh, there may be no configuration that would be ignored.
 */
export async function readSettings(
  destination: string,
  configFile: string | undefined,
  signal: AbortSignal,
): Promise<SshSettings> {
  const file = configFile === undefined ? [] : ["-F", configFile];
  const argv = [...file, "-G", "--", destination];
  const { printed, said, error } = await new Promise<{ printed: string; said: string; error: Error | null }>(
    (resolve) => {
      const child = execFile("ssh", argv, { signal, timeout: TIMEOUT_MS }, (error, printed, said) =>
        resolve({ printed, said, error }),
      );
      child.stdin?.end();
    },
  );
  signal.throwIfAborted();
  if (error === null) return parseSettings(printed, destination, process.env);
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return withoutSsh(destination, configFile);
  const [reason = "", ...rest] = said.split("\n").filter((line) => !line.startsWith("Pseudo-terminal") && line !== "");
  throw new WfError("WF_SSH_CONFIG", `ssh does not understand its configuration: ${reason || error.message}`, {
    where: destination,
    hint: `Mend it until this prints settings: ssh -G ${destination}`,
    cause: rest.length > 0 ? said : error,
  });
}

function withoutSsh(destination: string, configFile: string | undefined): SshSettings {
  const file = configFile ?? join(userInfo().homedir, ".ssh/config");
  if (!existsSync(file)) return plainSettings(destination, process.env);
  throw new WfError("WF_SSH_CONFIG", "There is an ssh configuration, but no ssh that could read it", {
    where: file,
    hint: "Install OpenSSH's client (Debian: apt-get install openssh-client).",
  });
}
