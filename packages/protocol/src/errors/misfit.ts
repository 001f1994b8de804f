import type { z } from "zod";

/** Where and why a document does not fit its schema, in one line: `outputs.model.name: not the name of a file`. */
export function misfit({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return "it does not fit";
  return issue.path.length === 0 ? issue.message : `${issue.path.join(".")}: ${issue.message}`;
}
