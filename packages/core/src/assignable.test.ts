import { expect, test } from "vitest";
import { z } from "zod";
import { dataset, directory, file, json, type Slot, whyNotAssignable } from "./index.ts";

const scans = dataset({ image: file("png"), patient: json(z.string()) });
const score = z.object({ dice: z.number(), note: z.string().optional() });

test.each<[string, Slot, Slot]>([
  ["the same type", file("csv"), file("csv")],
  ["a format where any file is wanted", file("csv"), file()],
  ["a dataset with more columns", scans, dataset({ image: file() })],
  ["a whole number as a number", json(z.int()), json(z.number())],
  ["an object with more members", json(score.extend({ loss: z.number() })), json(score)],
  [
    "a required member where it is optional",
    json(z.object({ a: z.number() })),
    json(z.object({ a: z.number().optional() })),
  ],
  ["fewer choices", json(z.enum(["a"])), json(z.enum(["a", "b"]))],
  ["one choice as a text", json(z.literal("a")), json(z.string())],
  ["a list of the same", json(z.array(score)), json(z.array(score))],
  ["what a schema cannot tell", json(z.any()), json(z.number())],
  ["a union, which is not looked into", json(z.union([z.number(), z.string()])), json(z.boolean())],
])("%s is assignable", (_, given, wanted) => {
  expect(whyNotAssignable(given.type, wanted.type)).toBeUndefined();
});

test.each<[Slot, Slot, string]>([
  [file("csv"), file("png"), "it is a csv file, and a png file is wanted"],
  [file(), file("png"), "it is a file, and a png file is wanted"],
  [directory(), file(), "it is a directory, and a file is wanted"],
  [file("json"), json(z.number()), "it is a json file, and a JSON value is wanted"],
  [scans, dataset({ mask: file() }), 'it has no column "mask"'],
  [scans, dataset({ image: file("jpg") }), 'column "image": it is a png file, and a jpg file is wanted'],
  [
    scans,
    dataset({ patient: json(z.number()) }),
    'column "patient": the value is of type string, and number is wanted',
  ],
  [json(z.number()), json(z.int()), "the value is of type number, and integer is wanted"],
  [json(z.object({})), json(score), 'the value has no member "dice"'],
  [json(score.partial()), json(score), "the value.dice may be absent"],
  [json(z.object({ dice: z.string() })), json(score), "the value.dice is of type string, and number is wanted"],
  [json(z.array(z.string())), json(z.array(z.number())), "the value[] is of type string, and number is wanted"],
  [json(z.string()), json(z.enum(["a", "b"])), 'the value is not one of "a", "b"'],
  [json(z.enum(["a", "c"])), json(z.enum(["a", "b"])), 'the value is not one of "a", "b"'],
])("%j does not go where %j is wanted", (given, wanted, why) => {
  expect(whyNotAssignable(given.type, wanted.type)).toBe(why);
});
