import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { CondorPool } from "../../clusters/condor-cluster.ts";
import { PEERS_FOLDER, type PreparedPeer } from "./peer.ts";

/** Snakemake with its HTCondor plugin, for naps of a second on a pool; undefined if it is not installed. */
export function snakemakeOn({ folder, user }: CondorPool, count: number): PreparedPeer | undefined {
  const program = join(PEERS_FOLDER, "snakemake-htcondor/bin/snakemake");
  const text = `rule all:\n    input: expand("out/{i}", i=range(${count}))\nrule nap:\n    output: touch("out/{i}")\n    shell: "sleep 1"\n`;
  if (!existsSync(program)) return undefined;
  // HTCondor takes no jobs from root, and starts them without a PATH.
  const asUser = ["--reuid", user, "--regid", user, "--init-groups"];
  const options = ["--executor", "htcondor", "--jobs", `${count}`, "--quiet", "--default-resources", "getenv=True"];
  return {
    files: { Snakefile: text },
    argv: ["setpriv", ...asUser, program, ...options],
    env: {
      HOME: join(folder, "home"),
      PATH: [dirname(program), process.env.PATH].join(delimiter),
      CONDOR_CONFIG: join(folder, "condor_config"),
    },
  };
}
