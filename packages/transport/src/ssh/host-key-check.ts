import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { shellLine, shellQuote, WfError } from "@wf/protocol";
import type { ServerHostKeyAlgorithm } from "ssh2";
import { findKnownHosts, type KnownHost } from "./known-hosts.ts";
import type { SshSettings } from "./ssh-settings.ts";

/** What a key of each type may sign with, best first. Kinds of keys that ssh2 does not know are left out. */
const ALGORITHMS: readonly (readonly [type: string, algorithm: ServerHostKeyAlgorithm])[] = [
  ["ssh-ed25519", "ssh-ed25519"],
  ["ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"],
  ["ecdsa-sha2-nistp384", "ecdsa-sha2-nistp384"],
  ["ecdsa-sha2-nistp521", "ecdsa-sha2-nistp521"],
  ["ssh-rsa", "rsa-sha2-512"],
  ["ssh-rsa", "rsa-sha2-256"],
];

/**
 * Whether a machine is the one that the user knows.
 * Law: a key that is not in known_hosts, differs from what is there, or was revoked, is refused. Nobody is asked, and
 * nothing is written: the user types it.
 */
export class HostKeyCheck {
  readonly #settings: SshSettings;
  readonly #known: readonly KnownHost[];

  private constructor(settings: SshSettings, known: readonly KnownHost[]) {
    this.#settings = settings;
    this.#known = known;
  }

  static async read(settings: SshSettings): Promise<HostKeyCheck> {
    const files = settings.knownHostsFiles.filter((file) => existsSync(file));
    const known = await Promise.all(
      files.map(async (file) => findKnownHosts(await readFile(file, "utf8"), file, settings.hostKeyName)),
    );
    return new HostKeyCheck(settings, known.flat());
  }

  /** Kinds of keys that are known come first, or a machine with several keys would show one that is not. */
  get algorithms(): ServerHostKeyAlgorithm[] {
    const types = new Set(this.#known.filter(({ marker }) => marker === "none").map(({ type }) => type));
    const isKnown = ([type]: readonly [string, string]) => types.has(type);
    const ordered = [...ALGORITHMS.filter(isKnown), ...ALGORITHMS.filter((entry) => !isKnown(entry))];
    return ordered.map(([, algorithm]) => algorithm);
  }

  /** What is wrong with the key that a machine shows; nothing, if it is the known one. */
  refusal(shown: Buffer): WfError | undefined {
    const key = shown.toString("base64");
    const same = this.#known.filter((known) => known.key === key);
    const revoked = same.find(({ marker }) => marker === "revoked");
    if (revoked) return this.#revoked(shown, revoked);
    if (same.some(({ marker }) => marker === "none")) return undefined;
    const other = this.#known.find(({ marker }) => marker === "none");
    return other ? this.#changed(shown, other) : this.#unknown(shown);
  }

  #unknown(shown: Buffer): WfError {
    const { hostKeyName, knownHostsFiles } = this.#settings;
    const file = knownHostsFiles[0] ?? join(userInfo().homedir, ".ssh/known_hosts");
    const line = `${hostKeyName} ${typeOf(shown)} ${shown.toString("base64")}`;
    const authority = this.#known.find(({ marker }) => marker === "cert-authority");
    const note = authority
      ? ` (${authority.file}:${authority.line} trusts an authority for it, but wf cannot check host certificates)`
      : "";
    return this.#error(`The machine is not known${note}. It shows ${fingerprint(shown)}`, [
      "Compare this fingerprint with the one that the owner of the machine publishes. If it is the same, type:",
      `mkdir -p ${shellQuote(dirname(file))} && echo ${shellQuote(line)} >> ${shellQuote(file)}`,
    ]);
  }

  #changed(shown: Buffer, { file, line, type }: KnownHost): WfError {
    const forget = shellLine(["ssh-keygen", "-R", this.#settings.hostKeyName, "-f", file]);
    return this.#error(
      `The key of the machine is not the known one: somebody may be listening in. It shows ${fingerprint(shown)}, ` +
        `and ${file}:${line} has another one (${type})`,
      [
        "Ask the owner of the machine whether its key was changed. Only if so, forget the old one, and connect again",
        `to see what to type next: ${forget}`,
      ],
    );
  }

  #revoked(shown: Buffer, { file, line }: KnownHost): WfError {
    return this.#error(`The machine shows a key that was revoked (${file}:${line}): ${fingerprint(shown)}`, [
      "Do not connect to it. Ask the owner of the machine.",
    ]);
  }

  #error(message: string, hint: readonly string[]): WfError {
    const { user, host, port } = this.#settings;
    return new WfError("WF_SSH_HOST_KEY", message, { where: `${user}@${host}:${port}`, hint: hint.join("\n") });
  }
}

/** As ssh shows it: `ED25519 SHA256:…`. */
function fingerprint(key: Buffer): string {
  const kind = typeOf(key)
    .replace(/^ssh-/, "")
    .replace(/^ecdsa-.*/, "ecdsa")
    .toUpperCase();
  return `${kind} SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** A public key begins with its own type. */
function typeOf(key: Buffer): string {
  return key.subarray(4, 4 + key.readUInt32BE(0)).toString("latin1");
}
