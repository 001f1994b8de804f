import { readFile } from "node:fs/promises";
import ssh2, { type ParsedKey } from "ssh2";
import type { Ask } from "./ask.ts";
import type { Identity } from "./identity.ts";

const { parseKey } = ssh2.utils;
const PASSPHRASE_TRIES = 3;
const CONTAINER = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/;
const MAGIC = "openssh-key-v1\0";

/** A key in a file. Its passphrase is asked for once, when a machine would take it, and not kept: the key is. */
export class FileIdentity implements Identity {
  readonly label: string;
  readonly publicKey: ParsedKey;
  readonly #text: string;
  readonly #ask: Ask;
  #unlocked: ParsedKey | undefined;

  private constructor(file: string, text: string, publicKey: ParsedKey, ask: Ask) {
    this.label = file;
    this.#text = text;
    this.publicKey = publicKey;
    this.#ask = ask;
  }

  /** Nothing, if there is no such file; an error that says why, if it holds no key that can be used. */
  static async read(file: string, ask: Ask): Promise<FileIdentity | Error | undefined> {
    const text = await readOrNothing(file);
    if (text === undefined) return undefined;
    const beside = await readOrNothing(`${file}.pub`);
    const publicKey = publicPart(text) ?? parsed(beside) ?? parseKey(text);
    if (publicKey instanceof Error)
      return new Error(
        isLocked(publicKey)
          ? `${file} is encrypted and has no public half beside it (type: ssh-keygen -y -f ${file} > ${file}.pub)`
          : `${file} cannot be used (${publicKey.message})`,
      );
    return new FileIdentity(file, text, publicKey, ask);
  }

  async sign(data: Buffer, hash: string | undefined, signal: AbortSignal): Promise<Buffer> {
    this.#unlocked ??= await this.#unlock(signal);
    const signature: Buffer | Error = this.#unlocked.sign(data, hash);
    if (signature instanceof Error) throw signature;
    return signature;
  }

  async #unlock(signal: AbortSignal): Promise<ParsedKey> {
    let key = parseKey(this.#text);
    for (let tries = 0; key instanceof Error && isLocked(key) && tries < PASSPHRASE_TRIES; tries += 1) {
      const prompts = [{ text: `Passphrase for ${this.label}: `, isHidden: true }];
      const question = { kind: "passphrase", from: this.label, instructions: "", prompts } as const;
      const [passphrase = ""] = await this.#ask(question, signal);
      key = parseKey(this.#text, passphrase);
    }
    if (key instanceof Error) throw key;
    if (!key.isPrivateKey()) throw new Error("holds only a public key, which the agent does not have");
    return key;
  }
}

function isLocked(error: Error): boolean {
  return /passphrase/i.test(error.message);
}

/** A private key in OpenSSH's own format carries its public half in the clear, encrypted or not. */
function publicPart(text: string): ParsedKey | undefined {
  const body = CONTAINER.exec(text)?.[1];
  if (body === undefined) return undefined;
  const bytes = Buffer.from(body, "base64");
  if (bytes.subarray(0, MAGIC.length).toString("latin1") !== MAGIC) return undefined;
  let at = MAGIC.length;
  const next = () => {
    const start = at + 4;
    at = start + bytes.readUInt32BE(at);
    return bytes.subarray(start, at);
  };
  next(); // cipher
  next(); // key derivation
  next(); // its options
  at += 4; // number of keys, which is always one
  return parsed(next());
}

function parsed(key: Buffer | string | undefined): ParsedKey | undefined {
  if (key === undefined) return undefined;
  const found = parseKey(key);
  return found instanceof Error ? undefined : found;
}

async function readOrNothing(file: string): Promise<string | undefined> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}
