import { randomBytes } from "node:crypto";
import { shellLine, shellQuote, WfError } from "@wf/protocol";
import type { Command } from "../command.ts";

/** A line that the far side prints right before the command starts. What comes before it is a login's chatter. */
export interface StartMark {
  /** Precedes the number of the process on standard output, and stands alone on standard error. */
  readonly text: string;
}

const RECORD_SEPARATOR = "\x1e";
const CANNOT_ENTER = 126;
/** Most systems refuse a single argument of 128 KiB. */
const LONGEST_LINE = 120_000;

export function startMark(): StartMark {
  return { text: `${RECORD_SEPARATOR}wf-${randomBytes(8).toString("hex")}` };
}

/**
 * What sshd hands to the login shell of the user, so that exactly this command runs in the end.
 * Laws: it reads the same in sh, bash, zsh, csh and fish; the command takes the place of the shell, so that its number
 * is that of the session; nothing that a login prints is taken for the command's output.
 */
export function loginShellLine({ argv, cwd, env = {} }: Command, prelude: string, mark: StartMark): string {
  const words = [...argv, ...Object.entries(env).flat(), cwd ?? ""];
  if (words.some((word) => word.includes("\0")))
    throw new WfError("WF_INTERNAL", `A command cannot hold NUL: ${JSON.stringify(argv)}`);
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const says = `printf '%s %s\\n' ${shellQuote(mark.text)} $$; printf '%s\\n' ${shellQuote(mark.text)} >&2`;
  const enters = cwd === undefined ? [] : [`cd -- ${shellQuote(cwd)} || exit ${CANNOT_ENTER}`];
  const starts = `exec ${shellLine(settings.length > 0 ? ["env", ...settings, ...argv] : argv)}`;
  const script = [prelude, says, ...enters, starts].filter((line) => line !== "").join("\n");
  const line = `exec /bin/sh -c 'eval "$(printf "${encode(script)}")"'`;
  if (line.length > LONGEST_LINE)
    throw new WfError("WF_INTERNAL", `A command line is too long (${line.length} characters): ${argv[0]}`, {
      hint: "Hand what is long to the standard input of the command.",
    });
  return line;
}

/** As the format of `printf`, between two kinds of quotes that no login shell may look into. */
function encode(script: string): string {
  const isPlain = /[ -~]/;
  const isSpecial = /[\\'"`$!]/;
  return Array.from(script, (character) => {
    if (character === "%") return "%%";
    if (isPlain.test(character) && !isSpecial.test(character)) return character;
    return Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  }).join("");
}
