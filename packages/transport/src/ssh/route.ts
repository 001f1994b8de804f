import { WfError } from "@wf/protocol";
import type { Client, ClientChannel } from "ssh2";
import { type LoginContext, logIn } from "./log-in.ts";
import { readSettings } from "./read-settings.ts";
import type { SshSettings } from "./ssh-settings.ts";
import { unreachable } from "./unreachable.ts";
import { openWire, type Wire } from "./wire.ts";

/** The machines to log in to, one after the other; the last one is the site's. */
export type Route = readonly [SshSettings, ...SshSettings[]];

const MOST_HOPS = 8;
/** For the last words on a connection, which nobody waits for. */
const GOODBYE_MS = 500;

/** As `ProxyJump` says. Only the first machine of such a list is reached by its own settings, as in ssh. */
export async function findRoute(
  destination: string,
  configFile: string | undefined,
  signal: AbortSignal,
  depth = 0,
): Promise<Route> {
  if (depth > MOST_HOPS)
    throw new WfError("WF_SSH_CONFIG", "ProxyJump leads in a circle", {
      where: destination,
      hint: "Check ProxyJump in ~/.ssh/config.",
    });
  const site = await readSettings(destination, configFile, signal);
  const [first, ...others] = site.jumps.map((jump) => (jump.startsWith("ssh://") ? jump : `ssh://${jump}`));
  if (first === undefined) return [site];
  const before = await findRoute(first, configFile, signal, depth + 1);
  const between = await Promise.all(others.map((jump) => readSettings(jump, configFile, signal)));
  return [...before, ...between, site];
}

/** A way to the site that is open, through all machines of its route. */
export interface OpenRoute {
  readonly client: Client;
  readonly wire: Wire;
  close(): void;
}

export async function openRoute(route: Route, context: LoginContext): Promise<OpenRoute> {
  const [first, ...rest] = route;
  const wire = await openWire(first, context.silenceMs, context.signal);
  const clients = [await logIn(first, wire.stream, context)];
  const close = () => {
    for (const client of clients.toReversed()) client.end();
    setTimeout(() => wire.stream.destroy(), GOODBYE_MS).unref();
  };
  try {
    let via = first;
    for (const settings of rest) {
      const channel = await jump(clients.at(-1) as Client, via, settings);
      clients.push(await logIn(settings, channel, context));
      via = settings;
    }
  } catch (error) {
    close();
    throw error;
  }
  return { client: clients.at(-1) as Client, wire, close };
}

async function jump(client: Client, via: SshSettings, to: SshSettings): Promise<ClientChannel> {
  return await new Promise((resolve, reject) => {
    client.once("close", () => reject(unreachable(to, new Error("the connection was cut"), via)));
    client.forwardOut("127.0.0.1", 0, to.host, to.port, (error, channel) => {
      if (error) reject(unreachable(to, error, via));
      else resolve(channel);
    });
  });
}
