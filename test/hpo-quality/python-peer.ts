import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Json } from "@wf/protocol";

/** The program that knows the problems and Optuna: a line of JSON in, a line of JSON out. */
export interface PythonPeer {
  /** Its versions. */
  readonly optuna: string;
  readonly numpy: string;
  readonly python: string;
  ask(request: { readonly [name: string]: Json }): Promise<unknown>;
  close(): Promise<void>;
}

/** One thread, so that numbers do not depend on the machine's cores. */
const ENV = { OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1", PYTHONDONTWRITEBYTECODE: "1" };

export async function startPeer(python: string): Promise<PythonPeer> {
  const program = fileURLToPath(new URL("../peer.py", import.meta.url));
  const child = spawn(python, [program], { stdio: ["pipe", "pipe", "inherit"], env: { ...process.env, ...ENV } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.on("error", (error) => giveUp(`${python} cannot be started: ${error.message}`));
  child.stdin.on("error", () => giveUp(`${python} has ended too early; above it says why`));
  const ask = async (request: { readonly [name: string]: Json }) => {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await lines.next();
    if (done) giveUp(`${python} has ended too early; above it says why`);
    return JSON.parse(value);
  };
  const { optuna, numpy, python: version } = await ask({ do: "about" });
  return {
    optuna,
    numpy,
    python: version,
    ask,
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

function giveUp(why: string): never {
  process.stderr.write(
    `${why}\nA Python with Optuna is needed: apt-get install python3-optuna, or pip install optuna; `,
  );
  process.stderr.write("then name it: node scripts/search-quality.mjs --python /usr/bin/python3\n");
  process.exit(2);
}
