import type { RuntimeWish } from "@wf/protocol";
import { z } from "zod";

/** How an interpreter was got: it was there, or it was built by uv, by venv and pip, or by Debian's packages. */
const RuntimeOrigin = z.enum(["found", "uv", "venv", "debian"]);

/** A Python that has what was wished for, on the storage of a site. */
export const PreparedRuntime = z.object({
  /** Names the wish; the same on every machine. */
  key: z.string(),
  how: RuntimeOrigin,
  interpreter: z.string(),
  /** The folder that goes first on the PATH of tasks; `python` and `python3` lie in it. */
  bin: z.string(),
  /** Its version. */
  python: z.string(),
  /** Versions of what was required, by name; null where a package does not tell. */
  packages: z.record(z.string(), z.string().nullable()),
});
export type PreparedRuntime = z.infer<typeof PreparedRuntime>;

export interface RuntimeProgress {
  readonly says: string;
  readonly percent: number | null;
}

/** What preparing would do: nothing more, take an interpreter that is there, or build. */
export type RuntimeForecast =
  | { readonly state: "ready" | "would-find"; readonly runtime: PreparedRuntime }
  | { readonly state: "would-build"; readonly how: string; readonly says: string };

/**
 * Makes Python runtimes ready, once per site. What a site has decides how; see docs/runtimes.md.
 *
 * Laws: a runtime that is not complete is never seen; of two that prepare the same one at once, one does it and the
 * other waits and says so.
 */
export interface RuntimePreparer {
  /** What is ready already, or null. It costs no more than a look at a few files. */
  find(wish: RuntimeWish, signal: AbortSignal): Promise<PreparedRuntime | null>;
  /** Throws WF_RUNTIME_UNAVAILABLE, with what is missing, what was tried and what to type. */
  prepare(
    wish: RuntimeWish,
    onProgress: (progress: RuntimeProgress) => void,
    signal: AbortSignal,
  ): Promise<PreparedRuntime>;
  /** Looks as closely as `prepare`, and makes nothing. Throws WF_RUNTIME_UNAVAILABLE. */
  foresee(wish: RuntimeWish, signal: AbortSignal): Promise<RuntimeForecast>;
}
