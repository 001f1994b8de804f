import { execFile } from "node:child_process";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { WfError } from "@wf/protocol";

const run = promisify(execFile);
const OLDEST: readonly [major: number, minor: number] = [3, 8];
const QUESTION = "import sys; print(*sys.version_info[:2], sys.executable)";

/**
 * The interpreter that runs the launcher: the first python3 of PATH that is new enough. A script in its place
 * (pyenv's shims are bash programs) costs its own start each time, so real interpreters come first, and a
 * script is asked for the interpreter behind it.
 */
export async function findPython(path: string, signal: AbortSignal): Promise<string> {
  const found = [...path.split(delimiter).filter(Boolean), "/usr/bin"].map((folder) => join(folder, "python3"));
  const programs = [...new Set(found)].filter(isFile);
  const seen: string[] = [];
  for (const program of [...programs.filter((file) => !isScript(file)), ...programs.filter(isScript)]) {
    const answer = await ask(program, signal);
    if (answer?.isSuitable) return answer.executable;
    seen.push(`${program} ${answer === null ? "does not start" : `is ${answer.version}`}`);
  }
  throw new WfError("WF_PYTHON_MISSING", `No python3 of version ${OLDEST.join(".")} or newer was found on PATH.`, {
    where: seen.length === 0 ? undefined : seen.join("; "),
    hint: "Install one (on Debian: apt install python3), or name one in the site's `python`.",
  });
}

/** Checks the interpreter that the user named. */
export async function checkPython(program: string, signal: AbortSignal): Promise<string> {
  const answer = await ask(program, signal);
  if (answer?.isSuitable) return answer.executable;
  const why = answer === null ? "it does not start" : `it is Python ${answer.version}`;
  throw new WfError("WF_PYTHON_MISSING", `The launcher cannot use this python: ${why}.`, {
    where: program,
    hint: `Name a Python ${OLDEST.join(".")} or newer in the site's \`python\`.`,
  });
}

interface Answer {
  readonly executable: string;
  readonly version: string;
  readonly isSuitable: boolean;
}

async function ask(program: string, signal: AbortSignal): Promise<Answer | null> {
  try {
    const { stdout } = await run(program, ["-I", "-S", "-c", QUESTION], { timeout: 20_000, signal });
    const [, major, minor, executable] = /^(\d+) (\d+) (.+)$/m.exec(stdout) ?? [];
    if (executable === undefined) return null;
    const isSuitable = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
    return { executable, version: `${major}.${minor}`, isSuitable };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** A folder of PATH that may not be entered has nothing for us. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function isScript(path: string): boolean {
  const start = Buffer.alloc(2);
  const file = openSync(path, "r");
  try {
    readSync(file, start, 0, 2, 0);
  } finally {
    closeSync(file);
  }
  return start.toString("latin1") === "#!";
}
