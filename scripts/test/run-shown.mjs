import { spawn } from "node:child_process";
import { root } from "../package-script.mjs";

/** Runs a program with its output shown as it comes, and kept. */
export function runShown({ argv, env }) {
  return new Promise((resolve, reject) => {
    const colour = process.stdout.isTTY && process.env.NO_COLOR === undefined ? { FORCE_COLOR: "1" } : {};
    const child = spawn(argv[0], argv.slice(1), {
      cwd: root,
      env: { ...process.env, ...colour, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill();
    process.once("exit", stop);
    let output = "";
    for (const [from, to] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      from.setEncoding("utf8").on("data", (text) => {
        output += text;
        to.write(text);
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      process.off("exit", stop);
      resolve({ code: code ?? 1, output });
    });
  });
}
