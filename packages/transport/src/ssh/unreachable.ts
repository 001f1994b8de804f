import { WfError } from "@wf/protocol";
import type { SshSettings } from "./ssh-settings.ts";

const REASONS: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  ECONNREFUSED: ["nothing answers on this port", "Check Port in ~/.ssh/config, and whether the machine is up."],
  EHOSTUNREACH: ["there is no way to it", "Check the network; many clusters need a VPN."],
  ENETUNREACH: ["there is no network that leads to it", "Check the network; many clusters need a VPN."],
  ETIMEDOUT: ["it does not answer", "Check the network; many clusters need a VPN."],
  ENOTFOUND: ["no machine has this name", "Check HostName in ~/.ssh/config, or the address in sites.yaml."],
  EAI_AGAIN: ["its name cannot be looked up now", "Check the network."],
  ECONNRESET: ["it hung up", "It may be busy, or refuse your address: try again later."],
};

/** Why a machine cannot be reached, in words; `error.code` is what the system said. */
export function unreachable(settings: SshSettings, error: Error, via?: SshSettings): WfError {
  const { user, host, port } = settings;
  const [why, hint] = REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? [error.message, "Check the network."];
  const through = via ? ` through ${via.user}@${via.host}:${via.port}` : "";
  return new WfError("WF_SSH_UNREACHABLE", `The machine cannot be reached${through}: ${why}`, {
    where: `${user}@${host}:${port}`,
    hint,
    cause: error,
  });
}
