import type { Workflow } from "@wf/core";
import { isNestedWithin, MOST_NESTED, WfError } from "@wf/protocol";
import { readSmallFile } from "@wf/run";
import { parse, YAMLParseError } from "yaml";
import type { ParamOptions } from "../command-options.ts";

const TOO_DEEP = `it is nested more than ${MOST_NESTED} deep`;

/** What `--params FILE` and `-p NAME=VALUE` say; the command line goes before the file. */
export function givenParams(
  { param, params: file }: Pick<ParamOptions, "param" | "params">,
  { params: schema }: Pick<Workflow, "params">,
): Record<string, unknown> {
  return {
    ...(file === undefined ? {} : fromFile(file)),
    ...Object.fromEntries(param.map((word) => fromWord(word, schema))),
  };
}

function fromFile(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readSmallFile(file, "file or pipe");
  } catch (cause) {
    throw new WfError("WF_FILE_NOT_FOUND", `the parameters cannot be read: ${(cause as Error).message}`, {
      where: file,
      hint: "name a JSON or YAML file with --params",
      cause,
    });
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    const line = cause instanceof YAMLParseError ? cause.linePos?.[0].line : undefined;
    const why = (cause as Error).message.split("\n")[0]?.replace(/:$/, "") ?? "";
    const isTooDeep = why.startsWith("Maximum call stack size exceeded");
    throw notParams(file, isTooDeep ? TOO_DEEP : why, { line, cause });
  }
  if (!isNestedWithin(MOST_NESTED, value)) throw notParams(file, TOO_DEEP);
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw notParams(file, "it holds no names and values");
  return value as Record<string, unknown>;
}

function notParams(
  file: string,
  why: string,
  { line, cause }: { line?: number | undefined; cause?: unknown } = {},
): WfError {
  return new WfError("WF_PARAM_INVALID", `the parameters in ${file} cannot be used: ${why}`, {
    where: line === undefined ? file : `${file}:${line}`,
    hint: "write one parameter a line, such as `epochs: 8`",
    cause,
  });
}

/** A value is JSON where that can be read as such, else plain text: `name=3` is a text where only a text will do. */
function fromWord(word: string, schema: Workflow["params"]): [string, unknown] {
  const [name, text] = nameAndText(word, "--param", "epochs=8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [name, text];
  }
  if (!isNestedWithin(MOST_NESTED, value)) {
    throw new WfError("WF_PARAM_INVALID", `parameter "${name}": ${TOO_DEEP}`, {
      hint: "pass such a value as an input: json(…)",
    });
  }
  const member = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
  const isText = member?.safeParse(value).success === false && member.safeParse(text).success;
  return [name, isText ? text : value];
}

/** Splits `NAME=TEXT` as the options of the command line write it. */
export function nameAndText(word: string, option: string, example: string): [name: string, text: string] {
  const equals = word.indexOf("=");
  if (equals < 1) {
    throw new WfError("WF_USAGE", `${option} ${word}: NAME=VALUE is wanted`, { hint: `write ${option} ${example}` });
  }
  return [word.slice(0, equals), word.slice(equals + 1)];
}
