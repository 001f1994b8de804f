import { existsSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { REPOSITORY } from "../../repository.ts";

/** Another engine that can run `count` independent tasks, each of which makes one file. */
export interface Peer {
  readonly name: string;
  /** The argument vector, with files to write first; undefined if it is not installed. */
  prepare(count: number, cores: number): PreparedPeer | undefined;
}

export interface PreparedPeer {
  readonly files: Readonly<Record<string, string>>;
  readonly argv: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

export function onPath(program: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));
}

export const PEERS_FOLDER = join(REPOSITORY, ".setup/peers");

const make: Peer = {
  name: "make",
  prepare(count, cores) {
    const program = onPath("make");
    const makefile = `all: $(addprefix out/,$(shell seq ${count}))\nout/%:\n\t@touch $@\n$(shell mkdir -p out)\n`;
    return program ? { files: { Makefile: makefile }, argv: [program, "-s", `-j${cores}`, "all"] } : undefined;
  },
};

const ninja: Peer = {
  name: "ninja",
  prepare(count, cores) {
    const program = onPath("ninja");
    const builds = Array.from({ length: count }, (_, i) => `build out/${i}: touch\n`).join("");
    const text = `rule touch\n  command = touch $out\n${builds}`;
    return program ? { files: { "build.ninja": text }, argv: [program, "--quiet", `-j${cores}`] } : undefined;
  },
};

const snakemake: Peer = {
  name: "snakemake",
  prepare(count, cores) {
    const program = onPath("snakemake");
    const text = `rule all:\n    input: expand("out/{i}", i=range(${count}))\nrule touch:\n    output: "out/{i}"\n    shell: "touch {output}"\n`;
    return program ? { files: { Snakefile: text }, argv: [program, "--quiet", "--cores", String(cores)] } : undefined;
  },
};

const parsl: Peer = {
  name: "parsl",
  prepare(count, cores) {
    const python = join(PEERS_FOLDER, "parsl/bin/python");
    const text = `import os
import parsl
from parsl import bash_app
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.providers import LocalProvider

@bash_app
def touch(path):
    return f"touch {path}"

if __name__ == "__main__":
    os.makedirs("out")
    executor = HighThroughputExecutor(max_workers_per_node=${cores}, provider=LocalProvider(max_blocks=1), address="127.0.0.1")
    with parsl.load(Config(executors=[executor])):
        for future in [touch(os.path.abspath(f"out/{i}")) for i in range(${count})]:
            future.result()
`;
    if (!existsSync(python)) return undefined;
    // Its workers look for Parsl's own programs on PATH.
    const path = [dirname(python), process.env.PATH].join(delimiter);
    return { files: { "run.py": text }, argv: [python, "run.py"], env: { PATH: path } };
  },
};

/** Runs `main.nf`; undefined if it is not installed. */
export function nextflowLauncher(): Omit<PreparedPeer, "files"> | undefined {
  const classpath = join(PEERS_FOLDER, "nextflow.classpath");
  const java = onPath("java");
  if (!java || !existsSync(classpath)) return undefined;
  return {
    argv: [java, "-cp", readFileSync(classpath, "utf8").trim(), "nextflow.cli.Launcher", "-q", "run", "main.nf"],
    env: { NXF_OFFLINE: "true", NXF_HOME: join(PEERS_FOLDER, "nextflow/home") },
  };
}

const nextflow: Peer = {
  name: "nextflow",
  prepare(count, cores) {
    const launcher = nextflowLauncher();
    if (launcher === undefined) return undefined;
    const text = `process touch {\n  input: val i\n  output: path "out-$i"\n  script: "touch out-$i"\n}\nworkflow { Channel.of(1..${count}) | touch }\n`;
    return { ...launcher, files: { "main.nf": text, "nextflow.config": `executor.cpus = ${cores}\n` } };
  },
};

export const PEERS: readonly Peer[] = [make, ninja, snakemake, parsl, nextflow];
