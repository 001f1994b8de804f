import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { CondorPool } from "../clusters/condor-cluster.ts";
import { openFolder } from "../clusters/open-folder.ts";

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
export async function serveStorage(pool: CondorPool, storage: string, token: string): Promise<HttpStore> {
  const through = [`--reuid=${pool.user}`, `--regid=${pool.user}`, "--init-groups", "/usr/bin/python3"];
  const server = spawn("setpriv", [...through, "-c", SERVE, storage, token], {
    cwd: readableLauncher(pool),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const dead = once(server, "exit").then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
  const [url] = await Promise.race([once(createInterface({ input: server.stdout }), "line"), dead]);
  dead.catch(() => undefined);
  return {
    url: url as string,
    close: async () => {
      server.stdin.end();
      await once(server, "exit");
    },
  };
}

/** A copy of its sources: the clone may lie in a private home, which the user of the pool cannot enter. */
function readableLauncher({ folder }: CondorPool): string {
  const copy = join(openFolder(folder, "http-store-"), "launcher");
  cpSync(LAUNCHER, copy, { recursive: true });
  return copy;
}
