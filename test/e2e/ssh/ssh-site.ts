/** What the tests of ssh share: a real server, and transports to it that are quick to give up. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SshOptions, sshTransport, type Transport } from "@wf/transport";
import { SshServer, type SshServerOptions, whyNoSshServer } from "@wf/transport/testing";
import { afterAll, afterEach, describe } from "vitest";

const why = whyNoSshServer();

/** Says loudly that nothing of this was tested, where there is no ssh server. */
export const describeWithSsh = why === undefined ? describe : (name: string, _: () => void) => skipLoudly(name, why);

function skipLoudly(name: string, reason: string): void {
  console.warn(`SKIPPED: ${name}: ${reason}`);
  describe.skip(`${name} (skipped: ${reason})`, () => undefined);
}

export const signal = new AbortController().signal;

const servers: SshServer[] = [];
const transports: Transport[] = [];
const folders: string[] = [];

/** Lives until the end of the test file. */
export async function startServer(options: SshServerOptions = {}): Promise<SshServer> {
  const server = await SshServer.start(options);
  servers.push(server);
  return server;
}

/** Lives until the end of the test. */
export function connectTo(server: SshServer, options: Partial<SshOptions> = {}): Transport {
  const transport = sshTransport({
    destination: "site",
    configFile: server.clientConfig(),
    silenceMs: 60_000,
    ...options,
    reconnect: {
      backOff: { firstMs: 20, longestMs: 200 },
      patienceMs: 120_000,
      attemptsPerMinute: 200,
      ...options.reconnect,
    },
  });
  transports.push(transport);
  return transport;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wf-ssh-"));
  folders.push(folder);
  return folder;
}

afterEach(async () => {
  for (const transport of transports.splice(0)) await transport.close();
});

afterAll(async () => {
  for (const server of servers.splice(0)) await server.remove();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
