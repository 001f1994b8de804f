import type { Json } from "@wf/protocol";
import { z } from "zod";
import type { Parameter, Setting, Space } from "./space.ts";

/** What settings of a space look like, precise enough to be held against the parameters of a task. */
export function settingSchema(space: Space): z.ZodObject & z.ZodType<Setting> {
  const shape = Object.entries(space).map(([name, parameter]) => [name, valueSchema(parameter)] as const);
  return z.object(Object.fromEntries(shape)) as unknown as z.ZodObject & z.ZodType<Setting>;
}

function valueSchema(parameter: Parameter): z.ZodType {
  switch (parameter.kind) {
    case "choice":
      return choiceSchema(parameter.values);
    case "uniform":
    case "log-uniform":
      return z.number().min(parameter.low).max(parameter.high);
    case "integer":
      return z.number().int().min(parameter.low).max(parameter.high);
    case "one-of": {
      const branches = Object.entries(parameter.branches).map(([name, branch]) =>
        settingSchema(branch).extend({ [parameter.field]: z.literal(name) }),
      );
      return z.union(branches);
    }
  }
}

function choiceSchema(values: readonly Json[]): z.ZodType {
  const isPlain = (value: Json): value is string | number | boolean | null =>
    value === null || typeof value !== "object";
  return values.every(isPlain) ? z.literal(values) : z.json();
}
