import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { root } from "../package-script.mjs";

/** The program writes into a pipe, but what matters is where its output ends; the person's own wish goes first. */
const isWished = process.env.NO_COLOR !== undefined || process.env.FORCE_COLOR !== undefined;
const colour = isWished ? {} : process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" };

/** Runs a program with its output shown line by line as it comes, behind the name of its step, and kept. */
export function runShown(step, { argv, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), {
      cwd: root,
      env: { ...process.env, ...colour, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
      createInterface({ input: stream }).on("line", (line) => showLine(step, line));
    }
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", stop);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Steps run side by side, so that every line says whose it is. */
export function showLine(step, line) {
  console.log(`${step.padEnd(8)} │ ${line}`.trimEnd());
}
