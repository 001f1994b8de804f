import { createServer } from "node:net";

export interface PortStretches {
  readonly first: number;
  /** Ports of one cluster. */
  readonly length: number;
  readonly places: number;
  /** Those of a stretch that have to be free. */
  readonly needed: readonly number[];
}

/** The first port of a stretch. Begins anywhere, so that clusters that come up at the same moment seldom want the same ones. */
export async function freePorts(
  { first, length, places, needed }: PortStretches,
  start = Math.floor(Math.random() * places),
): Promise<number> {
  for (let place = 0; place < places; place++) {
    const port = first + ((start + place) % places) * length;
    if (await areFree(needed.map((offset) => port + offset))) return port;
  }
  throw new Error("no ports are free for a cluster");
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false)).listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (!isFree) return false;
  }
  return true;
}
