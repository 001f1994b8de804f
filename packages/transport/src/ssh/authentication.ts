import { shellQuote, WfError } from "@wf/protocol";
import ssh2, { type AuthenticationType, type AuthHandlerMiddleware, type ParsedKey } from "ssh2";
import type { Ask, Question } from "./ask.ts";
import type { Identity } from "./identity.ts";
import type { Keys } from "./key-ring.ts";
import type { AuthMethod, SshSettings } from "./ssh-settings.ts";

type Next = Parameters<AuthHandlerMiddleware>[2];
type Answer = Parameters<Next>[0];
type PromptHandler = Extract<Answer, { type: "keyboard-interactive" }>["prompt"];

/** A key that a machine would take, and what it wants to have signed. */
interface Offer {
  readonly identity: Identity;
  readonly key: ParsedKey;
  wanted?: { readonly data: Buffer; readonly hash: string | undefined };
  signature?: Buffer;
}

/** Where a login turns to while it goes on. */
export interface LoginDesk {
  readonly ask: Ask;
  readonly signal: AbortSignal;
  /** Does something that may take a person's time. */
  readonly patiently: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ends the login. */
  readonly abandon: (error: unknown) => void;
}

/** ssh2 reports it when a signature is not there at once; it is made, and then offered again. */
const LATER = "the signature is made later";

/**
 * One login, from the first question to the last.
 * Laws: a key is unlocked only after the machine has said that it would take it; what was refused once is not tried
 * again; a code that the machine asks for comes from a person, or the login ends with what it asked for.
 *
 * ssh2 wants signatures at once, while an agent and a person take their time. So a key is first offered with its
 * public half. If the machine would take it, ssh2 asks for the signature, is told no, and gets it in a second try.
 * (Its own support for agents loses track when a machine wants a key and then a code.)
 */
export class Authentication {
  readonly #settings: SshSettings;
  readonly #keys: Keys;
  readonly #desk: LoginDesk;
  readonly #waiting: Identity[];
  readonly #taken: string[] = [];
  readonly #refused: string[] = [];
  readonly #prompts = new Map<AuthMethod, number>();
  #offer: Offer | undefined;
  #accepted: readonly string[] = [];
  #unanswered: WfError | undefined;
  #hasAskedPerson = false;

  constructor(settings: SshSettings, keys: Keys, desk: LoginDesk) {
    this.#settings = settings;
    this.#keys = keys;
    this.#waiting = [...keys.identities];
    this.#desk = desk;
  }

  readonly handler = (left: AuthenticationType[] | null, isPartial: boolean | null, next: Next): void => {
    this.#next(left, isPartial === true).then(next, this.#desk.abandon);
  };

  /** An error that ssh2 reports only because a signature takes its time. */
  isExpected(error: Error): boolean {
    return error.message.endsWith(LATER);
  }

  async #next(left: readonly string[] | null, isPartial: boolean): Promise<Answer> {
    const { user: username, methods, promptsAtMost } = this.#settings;
    if (left === null) return { type: "none", username };
    this.#accepted = left;
    const isOpen = (method: AuthMethod) => methods.has(method) && left.includes(method);
    if (isPartial && this.#offer?.signature) {
      this.#taken.push(this.#offer.identity.label); // and something else is wanted too
      this.#offer = undefined;
    }
    const signed = await this.#signOffer();
    if (signed) return { type: "publickey", username, key: signed };
    if (isOpen("publickey")) {
      const identity = this.#waiting.shift();
      if (identity) return { type: "publickey", username, key: this.#offerOf(identity) };
    }
    for (const method of ["keyboard-interactive", "password"] as const) {
      const asked = this.#prompts.get(method) ?? 0;
      if (!isOpen(method) || asked >= promptsAtMost || this.#unanswered) continue;
      this.#prompts.set(method, asked + 1);
      if (method === "keyboard-interactive") return { type: method, username, prompt: this.#prompt };
      const password = await this.#askPassword();
      if (password !== undefined) return { type: method, username, password };
    }
    throw this.#failure();
  }

  #offerOf(identity: Identity): ParsedKey {
    const key = ssh2.utils.parseKey(identity.publicKey.getPublicSSH());
    if (key instanceof Error) throw key;
    const offer: Offer = { identity, key };
    key.isPrivateKey = () => true;
    key.sign = (data, hash) => {
      if (offer.signature) return offer.signature;
      offer.wanted = { data: Buffer.from(data as Buffer), hash };
      return new Error(LATER) as unknown as Buffer;
    };
    this.#offer = offer;
    return key;
  }

  /** The signature of a key that the machine would take. A key that was refused, or cannot sign, is noted. */
  async #signOffer(): Promise<ParsedKey | undefined> {
    const offer = this.#offer;
    if (!offer) return undefined;
    const { identity, key, wanted, signature } = offer;
    if (!wanted || signature) {
      this.#offer = undefined;
      this.#refused.push(identity.label);
      return undefined;
    }
    const { patiently, signal } = this.#desk;
    try {
      offer.signature = await patiently(() => identity.sign(wanted.data, wanted.hash, signal));
      return key;
    } catch (error) {
      this.#offer = undefined;
      if (error instanceof WfError) this.#unanswered = error;
      this.#refused.push(`${identity.label} (${error instanceof Error ? error.message : error})`);
      return undefined;
    }
  }

  readonly #prompt: PromptHandler = (name, instructions, _language, prompts, finish) => {
    const question = {
      kind: "codes",
      from: this.#where,
      instructions: [name, instructions].filter((text) => text !== "").join("\n"),
      prompts: prompts.map(({ prompt, echo }) => ({ text: prompt, isHidden: echo !== true })),
    } as const;
    this.#askPerson(question).then((answers) => finish([...answers]), this.#desk.abandon);
  };

  async #askPassword(): Promise<string | undefined> {
    const prompts = [{ text: `Password for ${this.#where}: `, isHidden: true }];
    const question = { kind: "password", from: this.#where, instructions: "", prompts } as const;
    const [password] = await this.#askPerson(question);
    return password;
  }

  async #askPerson(question: Question): Promise<readonly string[]> {
    const { ask, patiently, signal } = this.#desk;
    this.#hasAskedPerson = true;
    return await patiently(() => ask(question, signal));
  }

  get #where(): string {
    return `${this.#settings.user}@${this.#settings.host}`;
  }

  /** Everything that was tried, and what to type to see more. */
  #failure(): WfError {
    const tried = [
      ...this.#taken.map((label) => `${label} was taken`),
      ...this.#refused.map((label) => `${label} was refused`),
      ...this.#keys.unusable,
      ...[...this.#prompts.keys()].map((method) => `${method} failed`),
    ];
    const what = tried.length > 0 ? tried.join("; ") : "there was no key to offer";
    return new WfError(
      "WF_SSH_AUTH",
      `The machine does not let you in, and wants ${this.#accepted.join(" or ")}: ${what}`,
      {
        where: `${this.#where}:${this.#settings.port}`,
        hint: this.#unanswered?.hint ?? this.#hint(),
        cause: this.#unanswered,
      },
    );
  }

  #hint(): string {
    const destination = shellQuote(this.#settings.destination);
    if (this.#hasAskedPerson) return "Check what you typed, and start again.";
    if (this.#keys.identities.length === 0)
      return `Make a key with ssh-keygen -t ed25519, and hand its public half over: ssh-copy-id ${destination}`;
    const many = this.#settings.isIdentitiesOnly ? "" : " With many keys in the agent, set IdentitiesOnly for it.";
    return `See what ssh itself says: ssh -v ${destination} true.${many}`;
  }

  /** What a machine that hung up in the middle of a login has refused. */
  hungUp(reason: string): WfError {
    const failure = this.#failure();
    return new WfError("WF_SSH_AUTH", `${failure.message}. It hung up: ${reason}`, {
      where: failure.where,
      hint: failure.hint,
    });
  }

  get hasTried(): boolean {
    return this.#refused.length > 0 || this.#offer !== undefined || this.#prompts.size > 0;
  }
}
