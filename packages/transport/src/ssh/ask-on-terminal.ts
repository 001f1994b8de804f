import { closeSync, openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { printableText, WfError } from "@wf/protocol";
import { onAbort } from "../on-abort.ts";
import { type Ask, nobodyToAsk, type Prompt } from "./ask.ts";

const TERMINAL = "/dev/tty";
const CTRL_C = "\x03";
const CTRL_D = "\x04";
const BACKSPACES = ["\x7f", "\b"];

/**
 * Asks who sits at the terminal, whatever standard input and output are tied to. Where there is no terminal, it says
 * what was asked for and what to do instead.
 */
export const askOnTerminal: Ask = async (question, signal) => {
  const terminal = openTerminal();
  if (terminal === undefined) return await nobodyToAsk(question, signal);
  const { read, write, close } = terminal;
  try {
    const instructions = printableText(question.instructions.trim());
    if (instructions !== "") write(`${instructions}\n`);
    const answers: string[] = [];
    for (const prompt of question.prompts) answers.push(await answerTo(prompt, read, write, signal));
    return answers;
  } finally {
    close();
  }
};

interface Terminal {
  readonly read: ReadStream;
  readonly write: (text: string) => void;
  readonly close: () => void;
}

function openTerminal(): Terminal | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(TERMINAL, "r+");
  } catch {
    return undefined;
  }
  const read = new ReadStream(descriptor);
  const writeTo = openSync(TERMINAL, "w");
  return {
    read,
    write: (text) => writeSync(writeTo, text),
    close: () => {
      read.setRawMode(false);
      read.destroy();
      closeSync(writeTo);
    },
  };
}

async function answerTo(
  { text, isHidden }: Prompt,
  read: ReadStream,
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<string> {
  // Before the question is there: who answers at once must not see it echoed.
  read.setRawMode(true).setEncoding("utf8");
  write(printableText(text));
  let answer = "";
  let letGo = () => {};
  try {
    return await new Promise<string>((resolve, reject) => {
      letGo = onAbort(signal, () => reject(signal.reason));
      read.on("data", (typed: string) => {
        for (const key of typed) {
          if (key === "\r" || key === "\n") return resolve(answer);
          if (key === CTRL_C || key === CTRL_D) return reject(givenUp(text));
          if (BACKSPACES.includes(key)) {
            if (!isHidden && answer !== "") write("\b \b");
            answer = Array.from(answer).slice(0, -1).join("");
          } else {
            if (!isHidden) write(key);
            answer += key;
          }
        }
      });
    });
  } finally {
    letGo();
    read.removeAllListeners("data");
    write("\n");
  }
}

function givenUp(text: string): WfError {
  return new WfError("WF_SSH_AUTH", `There was no answer to ${JSON.stringify(text.trim())}`, {
    hint: "Start again when you have it at hand.",
  });
}
