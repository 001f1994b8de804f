import { Value } from "@wf/protocol";
import { z } from "zod";
import type { Metrics } from "./states.ts";

const Outputs = z.record(z.string(), Value);

/** Checked, because an older wf may have written them. */
export function parseOutputs(text: string | null): Readonly<Record<string, Value>> {
  return text === null ? {} : Outputs.parse(JSON.parse(text));
}

export function parseMetrics(text: string | null): Metrics {
  return text === null ? {} : (JSON.parse(text) as Metrics);
}
