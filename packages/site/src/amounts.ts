import { parseBytes, parseSeconds, WfError } from "@wf/protocol";
import { z } from "zod";

/** `24GB`, `512MiB` or a number of bytes. */
export const Bytes = z.union([z.string(), z.number()]).transform(amount(parseBytes));

/** `30s`, `10m`, `2h`, `1d` or a number of seconds. */
export const Seconds = z.union([z.string(), z.number()]).transform(amount(parseSeconds));

function amount(parse: (text: string | number) => number) {
  return (text: string | number, context: z.core.$RefinementCtx<string | number>) => {
    try {
      return parse(text);
    } catch (error) {
      context.addIssue(error instanceof WfError ? error.message : String(error));
      return z.NEVER;
    }
  };
}
