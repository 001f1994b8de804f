/** A line between a client and a server that can be watched, cut and frozen. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class FlakyWire {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #cutAfterBytes = Number.POSITIVE_INFINITY;
  #isFrozen = false;
  /** How many connections were made over it. */
  connections = 0;
  /** What the clients have sent so far. */
  sentBytes = 0;

  private constructor(targetPort: number) {
    this.#server = createServer((client) => {
      if (!this.#isFrozen) this.#join(client, connect(targetPort, "127.0.0.1"));
    });
  }

  static async to(targetPort: number): Promise<FlakyWire> {
    const wire = new FlakyWire(targetPort);
    await new Promise<void>((resolve) => wire.#server.listen(0, "127.0.0.1", resolve));
    return wire;
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  cut(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** The next cut comes when the clients have sent so much more. */
  cutAfter(bytes: number): void {
    this.#cutAfterBytes = this.sentBytes + bytes;
  }

  /** From now on nothing arrives, and nobody is told: as behind a router that forgot. */
  freeze(): void {
    this.#isFrozen = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  /** New connections work again. */
  thaw(): void {
    this.#isFrozen = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #join(client: Socket, server: Socket): void {
    this.connections += 1;
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    client.on("data", (chunk: Buffer) => {
      this.sentBytes += chunk.byteLength;
      if (this.sentBytes >= this.#cutAfterBytes) {
        this.#cutAfterBytes = Number.POSITIVE_INFINITY;
        this.cut();
      } else if (!server.write(chunk)) {
        client.pause();
        server.once("drain", () => this.#isFrozen || client.resume());
      }
    });
    server.pipe(client, { end: false });
    for (const socket of pair) socket.on("error", end).on("close", end);
  }
}
