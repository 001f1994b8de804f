import { z } from "zod";
import type { Parameter, Space } from "./space.ts";

const number = z.number();
const whole = z.number().int();
const name = z.string().min(1);

/** The form of a space in a file. Its sense is checked by `checkSpace`. */
export const ParameterSchema: z.ZodType<Parameter> = z.lazy(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("choice"), values: z.array(z.json()) }),
    z.strictObject({ kind: z.literal("uniform"), low: number, high: number }),
    z.strictObject({ kind: z.literal("log-uniform"), low: number, high: number }),
    z.strictObject({
      kind: z.literal("integer"),
      low: whole,
      high: whole,
      step: whole.positive(),
      log: z.boolean(),
    }),
    z.strictObject({ kind: z.literal("one-of"), field: name, branches: z.record(name, SpaceSchema) }),
  ]),
);

export const SpaceSchema: z.ZodType<Space> = z.lazy(() => z.record(name, ParameterSchema));
