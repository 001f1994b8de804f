import { posix } from "node:path";
import { createInterface } from "node:readline";
import type { PreparedRuntime, RuntimeForecast, RuntimePreparer, RuntimeProgress } from "@wf/backend";
import { type RuntimeWish, WfError } from "@wf/protocol";
import type { Transport } from "@wf/transport";
import { PreparerMessage, type PreparerResult, runtimeOf } from "./preparer-message.ts";
import { runtimeKey } from "./runtime-key.ts";
import type { SiteLauncher } from "./site-launcher.ts";
import { unavailableRuntime } from "./unavailable-runtime.ts";

export interface SitePreparerOptions {
  /** The site's storage there: runtimes lie in `runtimes/KEY`. */
  readonly storage: string;
  readonly transport: Transport;
  readonly launcher: SiteLauncher;
  /** The interpreter that the site names. Default: whatever fits. */
  readonly python?: string | undefined;
}

/** Prepares runtimes on a site that is reached through a transport, by the launcher's `prepare` there. */
export function createSitePreparer(options: SitePreparerOptions): RuntimePreparer {
  return new SitePreparer(options);
}

const KEPT_STDERR = 2000;

class SitePreparer implements RuntimePreparer {
  readonly #options: SitePreparerOptions;

  constructor(options: SitePreparerOptions) {
    this.#options = options;
  }

  /** Only the site knows, and `prepare` asks it. */
  async find(): Promise<PreparedRuntime | null> {
    return null;
  }

  async prepare(
    wish: RuntimeWish,
    onProgress: (progress: RuntimeProgress) => void,
    signal: AbortSignal,
  ): Promise<PreparedRuntime> {
    const result = await this.#run(wish, [], onProgress, signal);
    if (result.event === "ready") return runtimeOf(result);
    throw unavailableRuntime(wish, result);
  }

  async foresee(wish: RuntimeWish, signal: AbortSignal): Promise<RuntimeForecast> {
    const result = await this.#run(wish, ["--look"], () => undefined, signal);
    if (result.event === "ready") return { state: "ready", runtime: runtimeOf(result) };
    if (result.event === "would-find") return { state: result.event, runtime: runtimeOf(result) };
    if (result.event === "would-build") return { state: result.event, how: result.how, says: result.says };
    throw unavailableRuntime(wish, result);
  }

  async #run(
    wish: RuntimeWish,
    words: readonly string[],
    onProgress: (progress: RuntimeProgress) => void,
    signal: AbortSignal,
  ): Promise<PreparerResult> {
    const { transport, launcher } = this.#options;
    await launcher.deliver(signal);
    const wishFile = await this.#writeWish(wish, signal);
    const argv: [string, ...string[]] = [...launcher.command, "prepare", ...words, wishFile];
    const process = await transport.open({ argv }, signal);
    let printed = "";
    process.stderr.on("data", (text: Buffer) => {
      printed = (printed + text.toString("utf8")).slice(-KEPT_STDERR);
    });
    process.stdin.end();
    let result: PreparerResult | undefined;
    for await (const line of createInterface({ input: process.stdout })) {
      if (!line.startsWith("{")) continue;
      const message = PreparerMessage.parse(JSON.parse(line));
      if (message.event === "progress") onProgress({ says: message.says, percent: message.percent });
      else result = message;
    }
    await process.exit;
    if (result !== undefined) return result;
    throw new WfError("WF_RUNTIME_UNAVAILABLE", `The Python runtime could not be prepared: ${printed.trim()}`, {
      where: wish.project,
      hint: `Try it by hand on ${transport.name}: ${argv.join(" ")}`,
    });
  }

  async #writeWish(wish: RuntimeWish, signal: AbortSignal): Promise<string> {
    const { storage, transport, python = null } = this.#options;
    const runtimes = posix.join(storage, "runtimes");
    const path = posix.join(runtimes, `${runtimeKey(wish, python)}.json`);
    await transport.writeFile({ path, content: `${JSON.stringify({ ...wish, python, runtimes }, null, 2)}\n` }, signal);
    return path;
  }
}
