import { dirname, join } from "node:path";
import { WfError } from "@wf/protocol";
import { readSmallFile } from "./small-file.ts";

const INCLUDED = /^(?:-r|--requirement)[\s=]*(.+)$/;
const REFUSED = /^(?:-e|--editable|-c|--constraint)\b|^\.$/;

/** The lines of a `requirements.txt` that mean something; what it includes by `-r` stands in its place. */
export function readRequirementsFile(file: string, above: readonly string[] = []): string[] {
  const lines: string[] = [];
  for (const { text, number } of meaningfulLines(readText(file, above))) {
    const included = INCLUDED.exec(text)?.[1];
    if (included !== undefined) {
      const path = join(dirname(file), included);
      if ([...above, file].includes(path)) throw refused(`${file}:${number}`, "it includes itself", "remove the line");
      lines.push(...readRequirementsFile(path, [...above, file]));
    } else if (REFUSED.test(text)) {
      throw refused(
        `${file}:${number}`,
        `"${text}" cannot be prepared`,
        "name packages and versions there; the project's own code is staged by wf",
      );
    } else lines.push(text);
  }
  return lines;
}

function readText(file: string, above: readonly string[]): string {
  try {
    return readSmallFile(file);
  } catch (cause) {
    throw refused(
      above.at(-1) ?? file,
      `${file} cannot be read: ${(cause as Error).message}`,
      "correct the line",
      cause,
    );
  }
}

/** Without comments and empty lines; a line that ends with a backslash goes on. */
function meaningfulLines(text: string): { readonly text: string; readonly number: number }[] {
  const whole: { text: string; number: number }[] = [];
  let begun = "";
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = begun + raw.replace(/(^|\s)#.*$/, "").trim();
    begun = line.endsWith("\\") ? `${line.slice(0, -1).trim()} ` : "";
    if (begun === "" && line !== "") whole.push({ text: line, number: index + 1 });
  }
  return whole;
}

function refused(where: string, message: string, hint: string, cause?: unknown): WfError {
  return new WfError("WF_RUNTIME_INVALID", message, { where, hint, cause });
}
