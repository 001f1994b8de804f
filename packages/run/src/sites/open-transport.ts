import type { Site } from "@wf/site";
import {
  type Ask,
  askOnTerminal,
  type ConnectionEvent,
  localTransport,
  sshTransport,
  type Transport,
} from "@wf/transport";

type ReachableSite = Pick<Site, "host" | "sshConfig" | "prelude" | "python">;

/** What follows `ssh`, for people to get to the login node. Port, user and jump hosts are the configuration's affair. */
export function sshWords({ host, sshConfig }: ReachableSite): readonly string[] {
  return [...(sshConfig === undefined ? [] : ["-F", sshConfig]), ...(host === undefined ? [] : [host])];
}

/** How the login node of a site is reached: over ssh, or directly where we are on it. */
export function openTransport(
  site: ReachableSite,
  note: (text: string) => void = () => undefined,
  onConnection: (event: ConnectionEvent) => void = () => undefined,
  ask: Ask = askOnTerminal,
): Transport {
  if (site.host === undefined) return localTransport();
  return sshTransport({
    destination: site.host,
    configFile: site.sshConfig,
    prelude: site.prelude,
    python: site.python,
    ask,
    onEvent: (event) => {
      onConnection(event);
      const text = textOf(event);
      if (text !== undefined) note(text);
    },
  });
}

function textOf(event: ConnectionEvent): string | undefined {
  switch (event.type) {
    case "connected":
      return undefined;
    case "lost":
      return `the connection to ${event.to} was lost (${event.reason}): what runs there goes on`;
    case "waiting":
      return `trying ${event.to} again in ${Math.ceil(event.delayMs / 1000)} s: ${event.reason}`;
  }
}
