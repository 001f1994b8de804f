import { expect, test } from "vitest";
import { jsonSchemas, launcherPaths } from "./json-schemas.ts";

interface Shape {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly [keyword: string]: unknown }>>;
  readonly additionalProperties?: unknown;
  readonly $defs?: Readonly<Record<string, Shape>>;
}

const schemas = jsonSchemas() as Readonly<Record<string, Shape>>;

test("every document has a schema", () => {
  expect(Object.keys(schemas)).toEqual(["account", "job", "manifest", "record", "value"]);
});

test("a record must say all that every launcher measures, and nothing that nobody reads", () => {
  const { record } = schemas;
  expect(record?.additionalProperties).toBe(false);
  expect(record?.required).toContain("usage");
  expect(record?.required).not.toContain("ranks");
  expect(record?.properties?.attempt).toMatchObject({ type: "string", format: "plain-name" });
  expect(record?.$defs?.Usage?.required).toContain("peakMemoryBytes");
});

test("names of files and hashes keep their forms", () => {
  expect(schemas.value?.$defs?.FileValue?.properties).toMatchObject({
    hash: { pattern: "^[0-9a-f]{64}$" },
    name: { format: "plain-name" },
  });
});

test("paths are seen from the storage", () => {
  expect(launcherPaths()).toMatchObject({
    root: "runs/RUN",
    record: "runs/RUN/records/ATTEMPT.json",
    stdoutOfRank: "runs/RUN/attempts/ATTEMPT/ranks/3.stdout",
  });
});
