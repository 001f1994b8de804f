/**
 * Commands and files of one place: this machine, or another one over ssh.
 *
 * ```ts
 * const cluster = sshTransport({ destination: "cluster" }); // as `ssh cluster` would reach it
 * await cluster.run({ argv: ["squeue", "--me"] }, signal);
 * await cluster.writeFile({ path: "/scratch/me/note", content: "hello" }, signal);
 * await cluster.close();
 * ```
 */
export { isConnectionLost } from "./again-if-lost.ts";
export { type Answer, type Answers, askAtOnce } from "./ask-at-once.ts";
export type { Budget } from "./call-queue.ts";
export type { Command, Exit, Process, RunCommand, RunResult } from "./command.ts";
export type { ContentFile, MovedObjects } from "./content-file.ts";
export type { Counts } from "./counts.ts";
export type { Entry, FileKind, Status } from "./file-status.ts";
export { copyFile } from "./local/copy-file.ts";
export { type LocalOptions, localTransport } from "./local/local-transport.ts";
export { readDocument, writeDocument } from "./local/write-document.ts";
export { type Ask, nobodyToAsk, type Prompt, type Question } from "./ssh/ask.ts";
export { askOnTerminal } from "./ssh/ask-on-terminal.ts";
export type { ConnectionEvent } from "./ssh/connection.ts";
export type { Reconnect, SshOptions } from "./ssh/ssh-options.ts";
export { sshTransport } from "./ssh/ssh-transport.ts";
export { steadyNow } from "./steady-now.ts";
export type { FileToMove, FileToWrite, Transport } from "./transport.ts";
