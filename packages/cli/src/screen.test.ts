import { expect, it } from "vitest";
import { screenOf } from "./screen.ts";

it("takes a terminal that does not know its size for one of any size", () => {
  const stream = { isTTY: true, columns: 0, rows: 0 } as NodeJS.WriteStream;
  const { columns, rows } = screenOf(stream);
  expect({ columns, rows }).toEqual({ columns: undefined, rows: undefined });
});
