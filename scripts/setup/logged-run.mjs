import { spawn } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";

/**
 * Runs programs whose output is for a log, not for the person who waits.
 * The result carries the output of that one program, for the message if it fails.
 */
export function openLog(path, root) {
  const log = openSync(path, "w");
  const run = (argv, { env = {}, cwd = root } = {}) =>
    new Promise((resolve) => {
      writeSync(log, `\n$ ${argv.join(" ")}\n`);
      const child = spawn(argv[0], argv.slice(1), {
        cwd,
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let output = "";
      const keep = (text) => {
        output += text;
        writeSync(log, text);
      };
      const stop = () => child.kill();
      const end = (code) => {
        process.off("exit", stop);
        resolve({ code, output });
      };
      process.once("exit", stop);
      child.stdout.setEncoding("utf8").on("data", keep);
      child.stderr.setEncoding("utf8").on("data", keep);
      child.on("error", (error) => {
        keep(`${error.message}\n`);
        end(127);
      });
      child.on("close", (code, signal) => {
        if (signal !== null) keep(`${argv[0]} was ended by ${signal}\n`);
        end(code ?? 1);
      });
    });
  return { run, close: () => closeSync(log) };
}
