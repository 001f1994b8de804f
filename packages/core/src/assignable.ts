import { canonical, type Json } from "@wf/protocol";
import { z } from "zod";
import type { ArtifactType, JsonType } from "./artifact-type.ts";

/**
 * The compiler's rule, said again for running code, which has no types: may `given` go where `wanted` is declared?
 * Returns why not. JSON values are compared by their schemas, as far as JSON Schema can tell.
 */
export function whyNotAssignable(given: ArtifactType, wanted: ArtifactType): string | undefined {
  if (given.kind !== wanted.kind) return `it is ${describeType(given)}, and ${describeType(wanted)} is wanted`;
  if (given.kind === "file" && wanted.kind === "file") {
    if (wanted.format === undefined || given.format === wanted.format) return undefined;
    return `it is ${describeType(given)}, and ${describeType(wanted)} is wanted`;
  }
  if (given.kind === "dataset" && wanted.kind === "dataset") {
    for (const [name, type] of Object.entries(wanted.columns)) {
      const column = given.columns[name];
      if (!column) return `it has no column "${name}"`;
      const why = whyNotAssignable(column, type);
      if (why) return `column "${name}": ${why}`;
    }
    return undefined;
  }
  if (given.kind === "json" && wanted.kind === "json") return whyNotJson(given.schema, wanted.schema);
  return undefined;
}

export function describeType(type: ArtifactType): string {
  switch (type.kind) {
    case "file":
      return type.format === undefined ? "a file" : `a ${type.format} file`;
    case "directory":
      return "a directory";
    case "dataset":
      return `a dataset of ${Object.keys(type.columns).join(", ")}`;
    case "json":
      return "a JSON value";
  }
}

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly enum?: readonly Json[];
  readonly const?: Json;
}

function whyNotJson(given: z.ZodType | undefined, wanted: z.ZodType | undefined): string | undefined {
  if (!given || !wanted || given === wanted) return undefined;
  return whyNotSchema(jsonSchema(given), jsonSchema(wanted), "the value");
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>();

/** What a JSON type takes, as JSON: part of the key of a task that makes it. */
export function jsonSchemaOf({ schema }: JsonType): Json {
  return schema ? (jsonSchema(schema) as Json) : null;
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  let known = jsonSchemas.get(schema);
  if (!known) {
    known = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" }) as JsonSchema;
    jsonSchemas.set(schema, known);
  }
  return known;
}

/** The values that a schema lists, when it lists them all. */
function choicesOf(schema: JsonSchema): readonly Json[] | undefined {
  return schema.const === undefined ? schema.enum : [schema.const];
}

function whyNotSchema(given: JsonSchema, wanted: JsonSchema, where: string): string | undefined {
  if (typeof given.type !== "string" || typeof wanted.type !== "string") return undefined;
  const fits = given.type === wanted.type || (given.type === "integer" && wanted.type === "number");
  if (!fits) return `${where} is of type ${given.type}, and ${wanted.type} is wanted`;
  const choices = choicesOf(wanted);
  if (choices) {
    const known = choices.map(canonical);
    const ours = choicesOf(given);
    if (!ours?.every((choice) => known.includes(canonical(choice))))
      return `${where} is not one of ${known.join(", ")}`;
  }
  for (const name of wanted.required ?? []) {
    if (!given.properties) break;
    if (!given.properties[name]) return `${where} has no member "${name}"`;
    if (!given.required?.includes(name)) return `${where}.${name} may be absent`;
  }
  for (const [name, member] of Object.entries(wanted.properties ?? {})) {
    const ours = given.properties?.[name];
    const why = ours && whyNotSchema(ours, member, `${where}.${name}`);
    if (why) return why;
  }
  return given.items && wanted.items ? whyNotSchema(given.items, wanted.items, `${where}[]`) : undefined;
}
