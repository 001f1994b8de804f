import { agentIdentities } from "./agent-identities.ts";
import type { Ask } from "./ask.ts";
import { FileIdentity } from "./file-identity.ts";
import { type Identity, isSameKey } from "./identity.ts";
import type { SshSettings } from "./ssh-settings.ts";

export interface Keys {
  /** In the order in which they are offered. */
  readonly identities: readonly Identity[];
  /** Why some files of the configuration offer nothing. */
  readonly unusable: readonly string[];
}

/** The user's keys. Files are read once, so that a key that was unlocked stays so when a connection is made again. */
export class KeyRing {
  readonly #ask: Ask;
  readonly #files = new Map<string, Promise<FileIdentity | Error | undefined>>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /**
   * As ssh orders them: first what the configuration names and the agent holds, then the agent's others, then files.
   * A machine gives up on a user after a few wrong keys, so `IdentitiesOnly` leaves the agent's others out.
   */
  async keysFor({ identityFiles, agentSocket, isIdentitiesOnly }: SshSettings): Promise<Keys> {
    const [held, read] = await Promise.all([
      agentIdentities(agentSocket),
      Promise.all(identityFiles.map((file) => this.#read(file))),
    ]);
    const files = read.filter((file) => file instanceof FileIdentity);
    const isIn = (identities: readonly Identity[]) => (identity: Identity) =>
      identities.some((other) => isSameKey(other.publicKey, identity.publicKey));
    const isNamed = isIn(files);
    const isHeld = isIn(held);
    return {
      identities: [
        ...held.filter(isNamed),
        ...(isIdentitiesOnly ? [] : held.filter((identity) => !isNamed(identity))),
        ...files.filter((identity) => !isHeld(identity)),
      ],
      unusable: read.filter((file) => file instanceof Error).map(({ message }) => message),
    };
  }

  #read(file: string): Promise<FileIdentity | Error | undefined> {
    const known = this.#files.get(file);
    if (known) return known;
    const read = FileIdentity.read(file, this.#ask).catch((error: Error) => error);
    this.#files.set(file, read);
    return read;
  }
}
