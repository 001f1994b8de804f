import { nextflowLauncher, onPath, type PreparedPeer } from "./peer.ts";

/** Another engine that can run `count` independent naps of a second on SLURM. */
interface SlurmPeer {
  readonly name: string;
  /** Undefined if it is not installed. */
  prepare(count: number): PreparedPeer | undefined;
}

/** With more submissions and looks a second than its defaults. */
const snakemake: SlurmPeer = {
  name: "snakemake",
  prepare(count) {
    const program = onPath("snakemake");
    const text = `rule all:\n    input: expand("out/{i}", i=range(${count}))\nrule nap:\n    output: touch("out/{i}")\n    shell: "sleep 1"\n`;
    const submit = ["--cluster", "sbatch --parsable -o /dev/null", "--jobs", `${count}`];
    const pace = ["--max-jobs-per-second", "100", "--max-status-checks-per-second", "100"];
    if (program === undefined) return undefined;
    return { files: { Snakefile: text }, argv: [program, "--quiet", "--latency-wait", "30", ...submit, ...pace] };
  },
};

const nextflow: SlurmPeer = {
  name: "nextflow",
  prepare(count) {
    const launcher = nextflowLauncher();
    if (launcher === undefined) return undefined;
    const text = `process nap {\n  input: val i\n  script: "sleep 1"\n}\nworkflow { Channel.of(1..${count}) | nap }\n`;
    const config = `process.executor = 'slurm'\nexecutor.queueSize = ${count}\n`;
    return { ...launcher, files: { "main.nf": text, "nextflow.config": config } };
  },
};

export const SLURM_PEERS: readonly SlurmPeer[] = [snakemake, nextflow];
