import type { ParsedKey } from "ssh2";

/** A key of the user, of which only the public half needs to be at hand. */
export interface Identity {
  /** What messages call it: a file, or what the agent says of it. */
  readonly label: string;
  readonly publicKey: ParsedKey;
  /** May ask for a passphrase, so it is called only when the machine would take the key. */
  sign(data: Buffer, hash: string | undefined, signal: AbortSignal): Promise<Buffer>;
}

export function isSameKey(a: ParsedKey, b: ParsedKey): boolean {
  return a.getPublicSSH().equals(b.getPublicSSH());
}
