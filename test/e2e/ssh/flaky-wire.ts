/** A line between a client and a server that can be watched, cut and frozen. */
import { connect, createServer, type Server, type Socket } from "node:net";

export class FlakyWire {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #cutAtSentBytes = Number.POSITIVE_INFINITY;
  #cutAtReceivedBytes = Number.POSITIVE_INFINITY;
  #holdAtSentBytes = Number.POSITIVE_INFINITY;
  #onHeld: () => void = () => undefined;
  readonly #held = new WeakSet<Socket>();
  #isFrozen = false;
  /** How many connections were made over it. */
  connections = 0;
  /** What the clients have sent so far. */
  sentBytes = 0;
  /** What the server has sent so far. */
  receivedBytes = 0;

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
    this.#cutAtSentBytes = this.sentBytes + bytes;
  }

  /** The next cut comes when the server has sent so much more. */
  cutAfterReceived(bytes: number): void {
    this.#cutAtReceivedBytes = this.receivedBytes + bytes;
  }

  /** Waits until the clients have sent so much more; what comes after it on the same connection does not arrive. */
  holdAfter(bytes: number): Promise<void> {
    this.#holdAtSentBytes = this.sentBytes + bytes;
    return new Promise((resolve) => {
      this.#onHeld = resolve;
    });
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
      if (this.sentBytes >= this.#cutAtSentBytes) {
        this.#cutAtSentBytes = Number.POSITIVE_INFINITY;
        this.cut();
      } else if (this.sentBytes >= this.#holdAtSentBytes) {
        this.#holdAtSentBytes = Number.POSITIVE_INFINITY;
        this.#held.add(client.pause());
        this.#onHeld();
      } else this.#pass(chunk, client, server);
    });
    server.on("data", (chunk: Buffer) => {
      this.receivedBytes += chunk.byteLength;
      if (this.receivedBytes < this.#cutAtReceivedBytes) return this.#pass(chunk, server, client);
      this.#cutAtReceivedBytes = Number.POSITIVE_INFINITY;
      this.cut();
    });
    for (const socket of pair) socket.on("error", end).on("close", end);
  }

  #pass(chunk: Buffer, from: Socket, to: Socket): void {
    if (to.write(chunk)) return;
    from.pause();
    to.once("drain", () => this.#isFrozen || this.#held.has(from) || from.resume());
  }
}
