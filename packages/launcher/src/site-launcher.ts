import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { WfError } from "@wf/core";
import type { Transport } from "@wf/transport";
import { BUILT_LAUNCHER } from "./built-launcher.ts";

export interface SiteLauncherOptions {
  /** The site's storage there: the launcher lies in `tools/`. */
  readonly storage: string;
  readonly transport: Transport;
  /** The interpreter on the site. */
  readonly python: string;
  /** The launcher's zipapp on this machine. Default: the one that the build made. */
  readonly launcher?: string | undefined;
}

/** The launcher on a site that is reached through a transport. */
export class SiteLauncher {
  /** A folder, from which Python starts it sooner than from a zip. */
  readonly folder: string;
  readonly #options: SiteLauncherOptions;
  readonly #packed: string;

  constructor(options: SiteLauncherOptions) {
    this.#options = options;
    this.#packed = options.launcher ?? BUILT_LAUNCHER;
    const hash = createHash("sha256").update(readLauncher(this.#packed)).digest("hex");
    this.folder = posix.join(options.storage, "tools", `wf-launcher-${hash.slice(0, 16)}`);
  }

  /** What starts it; one of its modes follows. */
  get command(): [string, ...string[]] {
    return [this.#options.python, "-I", "-S", this.folder];
  }

  /** Brings it to the site, unless it is there. */
  async deliver(signal: AbortSignal): Promise<void> {
    const { transport, python } = this.#options;
    if ((await transport.stat(this.folder, signal)) !== undefined) return;
    const packed = `${this.folder}.pyz`;
    await transport.makeFolder(posix.dirname(this.folder), signal);
    await transport.upload({ local: this.#packed, remote: packed, mode: 0o644 }, signal);
    const argv = [python, "-I", "-S", packed, "unpack", this.folder] as const;
    const { code, stderr } = await transport.run({ argv, isRepeatable: true }, signal);
    if (code === 0) return;
    throw new WfError("WF_SITE_COMMAND", `The launcher cannot be used on the site: ${lastLines(stderr)}`, {
      where: `${transport.name}: ${argv.join(" ")}`,
      hint: "check with: wf doctor --site …",
    });
  }
}

function lastLines(text: string): string {
  return text.trim().split("\n").slice(-3).join("\n");
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
