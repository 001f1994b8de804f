import { existsSync } from "node:fs";
import { join } from "node:path";
import { type RuntimeWish, WfError } from "@wf/protocol";
import type { PreparerResult } from "./preparer-message.ts";

/** Which package cannot be had, what was tried, and exactly what to type. */
export function unavailableRuntime(wish: RuntimeWish, result: PreparerResult): WfError {
  if (result.event !== "unavailable") return new WfError("WF_INTERNAL", `prepare ended with ${result.event}`);
  const { message, tried, advice, isDeclared } = result;
  const next = isDeclared
    ? "then run the workflow again: what has run is reused"
    : "then go on with: wf resume (what has run is kept)";
  return new WfError("WF_RUNTIME_UNAVAILABLE", [`${message}. Tried:`, ...tried].join("\n"), {
    where: declaredIn(wish.project),
    hint: `${advice.join("; or: ")}; ${next}`,
  });
}

function declaredIn(project: string): string {
  const files = ["pyproject.toml", "requirements.txt"].map((name) => join(project, name));
  return files.find((file) => existsSync(file)) ?? project;
}
