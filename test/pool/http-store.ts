import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CondorPool } from "../clusters/condor-cluster.ts";

const LAUNCHER = fileURLToPath(new URL("../../runtimes/launcher", import.meta.url));
const SERVE = `
import sys
from tests.store_servers import HttpServer
print(HttpServer(sys.argv[1], sys.argv[2]).url, flush=True)
sys.stdin.read()
`;

export interface HttpStore {
  readonly url: string;
  close(): Promise<void>;
}

/** A small server that serves a storage and takes PUT, as the user of the pool. It goes with the test. */
export async function serveStorage({ user }: CondorPool, storage: string, token: string): Promise<HttpStore> {
  const through = [`--reuid=${user}`, `--regid=${user}`, "--init-groups", "/usr/bin/python3"];
  const server = spawn("setpriv", [...through, "-c", SERVE, storage, token], {
    cwd: LAUNCHER,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [url] = await once(createInterface({ input: server.stdout }), "line");
  return {
    url: url as string,
    close: async () => {
      server.stdin.end();
      await once(server, "exit");
    },
  };
}
