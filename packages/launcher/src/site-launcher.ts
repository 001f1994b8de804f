import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { shellLine, WfError } from "@wf/protocol";
import type { Transport } from "@wf/transport";
import { BUILT_LAUNCHER, LAUNCHER_CHECK } from "./built-launcher.ts";
import { launcherFailure } from "./launcher-failure.ts";

export interface SiteLauncherOptions {
  /** The site's storage there: the launcher lies in `tools/`. */
  readonly storage: string;
  readonly transport: Transport;
  /** The interpreter on the site. */
  readonly python: string;
  /** The launcher's zipapp on this machine. Default: the one that the build made. */
  readonly launcher?: string | undefined;
  /** What sites.yaml calls the site, for what people are told to type. */
  readonly site?: string | undefined;
}

/** The launcher on a site that is reached through a transport. */
export class SiteLauncher {
  /** A folder, from which Python starts it sooner than from a zip. */
  readonly folder: string;
  readonly #options: SiteLauncherOptions;
  readonly #packed: string;
  readonly #hash: string;
  #isChecked = false;

  constructor(options: SiteLauncherOptions) {
    this.#options = options;
    this.#packed = options.launcher ?? BUILT_LAUNCHER;
    this.#hash = createHash("sha256").update(readLauncher(this.#packed)).digest("hex");
    this.folder = posix.join(options.storage, "tools", `wf-launcher-${this.#hash.slice(0, 16)}`);
  }

  /** What starts it; one of its modes follows. */
  get command(): [string, ...string[]] {
    return [this.#options.python, "-I", "-S", this.folder];
  }

  /** Brings it to the site, unless it is there. Law: one that was changed there is not run. */
  async deliver(signal: AbortSignal): Promise<void> {
    if (this.#isChecked) return;
    if ((await this.#look(signal)) === "missing") {
      await this.#send(signal);
      await this.#look(signal);
    }
    this.#isChecked = true;
  }

  /** The one call with which a launcher that is there is looked for, and compared with ours. */
  async #look(signal: AbortSignal): Promise<"same" | "missing"> {
    const { transport, python, site } = this.#options;
    const argv = [python, "-I", "-S", "-", this.folder, this.#hash] as const;
    const stdin = readLauncher(LAUNCHER_CHECK).toString("utf8");
    const result = await transport.run({ argv, stdin, isRepeatable: true }, signal);
    const said = result.stdout.trim();
    if (result.code === 0 && (said === "same" || said === "missing")) return said;
    if (result.code !== 0 || !said.startsWith("changed ")) {
      throw launcherFailure(result, {
        what: "The launcher cannot be looked at on the site",
        place: transport.name,
        argv,
        site,
      });
    }
    throw new WfError("WF_LAUNCHER_CHANGED", "The launcher on the site is not the one that was sent there.", {
      where: `${transport.name}: ${said.slice("changed ".length)}`,
      hint: `find out who can write there, then remove it, and the next run sends it again: rm -r ${shellLine([this.folder, `${this.folder}.pyz`])}`,
    });
  }

  async #send(signal: AbortSignal): Promise<void> {
    const { transport, python, site } = this.#options;
    const packed = `${this.folder}.pyz`;
    await transport.makeFolder(posix.dirname(this.folder), signal);
    await transport.upload({ local: this.#packed, remote: packed, mode: 0o644 }, signal);
    const argv = [python, "-I", "-S", packed, "unpack", this.folder] as const;
    const result = await transport.run({ argv, isRepeatable: true }, signal);
    if (result.code === 0) return;
    throw launcherFailure(result, {
      what: "The launcher cannot be used on the site",
      place: transport.name,
      argv,
      site,
    });
  }
}

function readLauncher(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new WfError("WF_LAUNCHER", "The launcher has not been built.", {
      where: path,
      hint: "Type: pnpm build",
      cause,
    });
  }
}
