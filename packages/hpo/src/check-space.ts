import { lineOfError, showLine } from "@wf/core";
import { canonical, WfError } from "@wf/protocol";
import { z } from "zod";
import type { Choice, Integer, OneOf, Parameter, Space } from "./space.ts";
import { ParameterSchema } from "./space-schema.ts";

/** Why a parameter cannot be searched, and what to write instead. */
type Mistake = readonly [why: string, hint: string];

/** Refuses a space that cannot be searched. Running strips types, so the form is checked as well as the sense. */
export function checkSpace(space: Space): void {
  if (Object.keys(space).length === 0)
    refuse(["the search space is empty", "name at least one parameter, such as { lr: logUniform(1e-4, 1e-1) }"], "");
  checkParameters(space, "");
}

/** `path` names the parameter once it is part of a space. */
export function checkParameter(parameter: Parameter, path = ""): void {
  const { success, error } = ParameterSchema.safeParse(parameter);
  if (!success)
    refuse(
      [`not a parameter: ${z.prettifyError(error)}`, "make it with choice, uniform, logUniform, integer or oneOf"],
      path,
    );
  const mistake = mistakeIn(parameter);
  if (mistake) refuse(mistake, path);
  if (parameter.kind !== "one-of") return;
  for (const [branch, space] of Object.entries(parameter.branches))
    checkParameters(space, path === "" ? branch : `${path}.${branch}`);
}

function checkParameters(space: Space, path: string): void {
  for (const [name, parameter] of Object.entries(space))
    checkParameter(parameter, path === "" ? name : `${path}.${name}`);
}

function refuse([why, hint]: Mistake, path: string): never {
  const where = showLine(lineOfError(new Error()));
  throw new WfError("WF_SEARCH_SPACE", path === "" ? why : `parameter "${path}": ${why}`, { where, hint });
}

function mistakeIn(parameter: Parameter): Mistake | undefined {
  switch (parameter.kind) {
    case "choice":
      return mistakeInChoice(parameter);
    case "uniform":
      return mistakeInRange("uniform", parameter.low, parameter.high);
    case "log-uniform":
      return mistakeInRange("logUniform", parameter.low, parameter.high) ?? mistakeInLog("logUniform", parameter);
    case "integer":
      return mistakeInRange("integer", parameter.low, parameter.high) ?? mistakeInInteger(parameter);
    case "one-of":
      return mistakeInOneOf(parameter);
  }
}

function mistakeInChoice({ values }: Choice): Mistake | undefined {
  if (values.length === 0) return ["choice([]) has nothing to choose from", "give it one value or more"];
  if (new Set(values.map(canonical)).size === values.length) return undefined;
  return [`choice(${canonical(values)}) has a value twice`, "say every value once"];
}

function mistakeInRange(name: string, low: number, high: number): Mistake | undefined {
  if (!Number.isFinite(high - low)) return [`${name}(${low}, ${high}) is wider than a number`, "take nearer ends"];
  if (low < high) return undefined;
  return [`${name}(${low}, ${high}) is empty: the low end comes first`, "swap the ends, or use choice for one value"];
}

function mistakeInLog(name: string, { low, high }: { low: number; high: number }): Mistake | undefined {
  if (low > 0) return undefined;
  return [`${name}(${low}, ${high}): ${low} has no logarithm`, "start above 0"];
}

function mistakeInInteger({ low, high, step, log }: Integer): Mistake | undefined {
  const call = `integer(${low}, ${high}, ${log ? "{ log: true }" : `{ step: ${step} }`})`;
  if (step > high - low) return [`${call} has one value only`, "take a smaller step"];
  if (log && step !== 1) return [`${call} with step ${step}: log and step do not go together`, "leave one of them out"];
  return log ? mistakeInLog("integer", { low, high }) : undefined;
}

function mistakeInOneOf({ field, branches }: OneOf): Mistake | undefined {
  if (Object.keys(branches).length === 0) return [`oneOf("${field}", {}) has no branch`, "give it one branch or more"];
  const taken = Object.keys(branches).find((branch) => Object.hasOwn(branches[branch] as Space, field));
  if (taken === undefined) return undefined;
  return [`oneOf("${field}", …): branch "${taken}" has a parameter of that name too`, "rename one of the two"];
}
