import type { Site } from "@wf/site";
import { askOnTerminal, localTransport, sshTransport, type Transport } from "@wf/transport";

/** How a site is reached: over ssh where it names a host, else it is this machine. */
export function openTransport({ host, prelude, python }: Pick<Site, "host" | "prelude" | "python">): Transport {
  if (host === undefined) return localTransport();
  return sshTransport({ destination: host, prelude, python, ask: askOnTerminal });
}
