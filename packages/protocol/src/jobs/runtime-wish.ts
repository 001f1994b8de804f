import { z } from "zod";

/** What a Python project needs to run, as its `pyproject.toml` or `requirements.txt` says. */
export const RuntimeWish = z
  .object({
    /** Lines of requirements, sorted: `["numpy>=1.21", "torch>=1.13"]`. */
    requirements: z.array(z.string()).readonly(),
    /** `>=3.9`; null where any Python will do. */
    requiresPython: z.string().nullable(),
    /** Where the project lies. What a task makes does not depend on it, so it enters no key. */
    project: z.string(),
  })
  .readonly();
export type RuntimeWish = z.infer<typeof RuntimeWish>;
