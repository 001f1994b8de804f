import { shellQuote, WfError } from "@wf/protocol";

/** Something that only a person knows. */
export interface Question {
  readonly kind: "passphrase" | "password" | "codes";
  /** Who asks: a key file, or a machine as `user@host`. */
  readonly from: string;
  /** What the machine says before it asks. */
  readonly instructions: string;
  readonly prompts: readonly Prompt[];
}

export interface Prompt {
  readonly text: string;
  /** The answer must not be shown while it is typed. */
  readonly isHidden: boolean;
}

/** Asks a person; gives one answer for each prompt. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<readonly string[]>;

/** For where there is nobody to ask, such as a run in the background. */
export const nobodyToAsk: Ask = async ({ kind, from, prompts }) => {
  const asked = prompts.map(({ text }) => JSON.stringify(text.trim())).join(", ");
  throw new WfError("WF_SSH_AUTH", `${from} asks for ${asked}, and there is nobody to ask`, {
    where: from,
    hint:
      kind === "passphrase"
        ? `Hand the key to the agent before: ssh-add ${shellQuote(from)}`
        : "Start wf in a terminal, where it can ask you; or ask the owner of the machine for a way in without codes.",
  });
};
