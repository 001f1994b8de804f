import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { onAbort } from "../on-abort.ts";
import type { SshSettings } from "./ssh-settings.ts";
import { unreachable } from "./unreachable.ts";

const KEPT_STDERR = 500;

/** What carries the bytes of a connection, and how many it has carried. */
export interface Wire {
  readonly stream: Duplex;
  readonly sentBytes: () => number;
  readonly receivedBytes: () => number;
}

/** To a machine itself, or to what its `ProxyCommand` connects to. */
export async function openWire(settings: SshSettings, timeoutMs: number, signal: AbortSignal): Promise<Wire> {
  return settings.proxyCommand === undefined
    ? await tcpWire(settings, timeoutMs, signal)
    : proxyWire(settings.proxyCommand);
}

async function tcpWire(settings: SshSettings, timeoutMs: number, signal: AbortSignal): Promise<Wire> {
  const { host, port } = settings;
  const socket = await new Promise<Socket>((resolve, reject) => {
    const trying = connect({ host, port, noDelay: true });
    let letGo = () => {};
    const fail = (error: Error) => {
      clearTimeout(timer);
      letGo();
      trying.destroy();
      reject(signal.aborted ? signal.reason : unreachable(settings, error));
    };
    const timer = setTimeout(() => fail(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" })), timeoutMs);
    letGo = onAbort(signal, () => fail(new Error("aborted")));
    trying.once("error", fail).once("connect", () => {
      clearTimeout(timer);
      letGo();
      trying.off("error", fail).on("error", () => undefined);
      resolve(trying);
    });
  });
  return { stream: socket, sentBytes: () => socket.bytesWritten, receivedBytes: () => socket.bytesRead };
}

/** The user wrote this command for a shell, in a file of their own, and ssh hands it to one too. */
function proxyWire(command: string): Wire {
  const child = spawn("/bin/sh", ["-c", `exec ${command}`], { stdio: "pipe" });
  const stream = Duplex.from({ writable: child.stdin, readable: child.stdout });
  let said = "";
  let received = 0;
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-KEPT_STDERR);
  });
  child.stdout.on("data", (chunk: Buffer) => {
    received += chunk.byteLength;
  });
  const end = (how: unknown) => stream.destroy(new Error(`ProxyCommand ended with ${how}: ${said.trim()}`));
  child.on("error", end).on("close", (code, signal) => end(code ?? signal));
  stream.on("close", () => child.kill()).on("error", () => undefined);
  return { stream, sentBytes: () => (child.stdin as Socket).bytesWritten ?? 0, receivedBytes: () => received };
}
