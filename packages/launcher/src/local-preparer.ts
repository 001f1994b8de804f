import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PreparedRuntime, RuntimeForecast, RuntimePreparer, RuntimeProgress } from "@wf/backend";
import { type RuntimeWish, WfError } from "@wf/protocol";
import { writeDocument } from "@wf/transport";
import { BUILT_LAUNCHER } from "./built-launcher.ts";
import { checkPython, findPython } from "./find-python.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { PreparerMessage, type PreparerResult, runtimeOf } from "./preparer-message.ts";
import { readPreparedRuntime } from "./read-prepared-runtime.ts";
import { runtimeKey } from "./runtime-key.ts";
import { unavailableRuntime } from "./unavailable-runtime.ts";

export interface LocalPreparerOptions {
  /** The site's storage: runtimes lie in `runtimes/KEY`. */
  readonly storage: string;
  /** The interpreter that the site names. Default: whatever fits. */
  readonly python?: string | undefined;
  /** Default: the one that the build made. */
  readonly launcher?: string | undefined;
}

/** Prepares runtimes on this machine, by the launcher's `prepare` in a process of its own. */
export function createLocalPreparer(options: LocalPreparerOptions): RuntimePreparer {
  return new LauncherPreparer(options);
}

class LauncherPreparer implements RuntimePreparer {
  readonly #options: LocalPreparerOptions;

  constructor(options: LocalPreparerOptions) {
    this.#options = options;
  }

  async find(wish: RuntimeWish): Promise<PreparedRuntime | null> {
    return readPreparedRuntime(join(this.#options.storage, "runtimes", this.#keyOf(wish)));
  }

  async prepare(
    wish: RuntimeWish,
    onProgress: (progress: RuntimeProgress) => void,
    signal: AbortSignal,
  ): Promise<PreparedRuntime> {
    const runtimes = join(this.#options.storage, "runtimes");
    const result = await this.#run(wish, runtimes, [], onProgress, signal);
    if (result.event === "ready") return runtimeOf(result);
    throw unavailableRuntime(wish, result);
  }

  async foresee(wish: RuntimeWish, signal: AbortSignal): Promise<RuntimeForecast> {
    const ready = await this.find(wish);
    if (ready !== null) return { state: "ready", runtime: ready };
    const nowhere = mkdtempSync(join(tmpdir(), "wf-foresee-"));
    try {
      const result = await this.#run(wish, nowhere, ["--look"], () => undefined, signal);
      if (result.event === "would-find") return { state: result.event, runtime: runtimeOf(result) };
      if (result.event === "would-build") return { state: result.event, how: result.how, says: result.says };
      throw unavailableRuntime(wish, result);
    } finally {
      rmSync(nowhere, { recursive: true });
    }
  }

  #keyOf(wish: RuntimeWish): string {
    return runtimeKey(wish, this.#options.python ?? null);
  }

  async #run(
    wish: RuntimeWish,
    runtimes: string,
    words: readonly string[],
    onProgress: (progress: RuntimeProgress) => void,
    signal: AbortSignal,
  ): Promise<PreparerResult> {
    const { python, launcher = BUILT_LAUNCHER } = this.#options;
    const interpreter = await (python === undefined
      ? findPython(process.env.PATH ?? "", signal)
      : checkPython(python, signal));
    if (!existsSync(launcher)) {
      throw new WfError("WF_LAUNCHER", "The launcher has not been built.", {
        where: launcher,
        hint: "Type: pnpm build",
      });
    }
    const wishFile = this.#writeWish(wish, runtimes);
    // In a session of its own: Ctrl-C is for us to hand on, when the run has decided what it means.
    const child = spawn(interpreter, ["-I", "-S", launcher, "prepare", ...words, wishFile], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const stop = () => child.kill("SIGTERM");
    signal.addEventListener("abort", stop, { once: true });
    let result: PreparerResult | undefined;
    let printed = "";
    child.stdout.on(
      "data",
      createLineSplitter((line) => {
        if (!line.startsWith("{")) return;
        const message = PreparerMessage.parse(JSON.parse(line));
        if (message.event === "progress") onProgress({ says: message.says, percent: message.percent });
        else result = message;
      }),
    );
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      printed = (printed + text).slice(-2000);
    });
    try {
      await once(child, "close");
    } finally {
      signal.removeEventListener("abort", stop);
    }
    signal.throwIfAborted();
    if (result !== undefined) return result;
    throw new WfError("WF_RUNTIME_UNAVAILABLE", `The Python runtime could not be prepared: ${printed.trim()}`, {
      where: wish.project,
      hint: `Read ${wishFile.replace(/\.json$/, ".log")}, or try it by hand: ${interpreter} ${launcher} prepare ${wishFile}`,
    });
  }

  /** It stays: whoever wonders what `runtimes/KEY` is for finds it there. */
  #writeWish(wish: RuntimeWish, runtimes: string): string {
    const { python = null } = this.#options;
    mkdirSync(runtimes, { recursive: true });
    const file = join(runtimes, `${this.#keyOf(wish)}.json`);
    writeDocument(file, `${JSON.stringify({ ...wish, python, runtimes: realpathSync(runtimes) }, null, 2)}\n`);
    return file;
  }
}
