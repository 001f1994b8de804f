import ssh2, { type BaseAgent, type ParsedKey } from "ssh2";
import type { Identity } from "./identity.ts";

/** The keys that an agent holds. An agent that does not answer holds none. */
export async function agentIdentities(socket: string | undefined): Promise<readonly Identity[]> {
  if (socket === undefined) return [];
  const agent = ssh2.createAgent(socket) as BaseAgent<ParsedKey>;
  const keys = await new Promise<readonly ParsedKey[]>((resolve) => {
    agent.getIdentities((error, found) => resolve(error ? [] : ((found ?? []) as ParsedKey[])));
  });
  return keys.map((publicKey) => ({
    label: `${publicKey.comment || publicKey.type} (agent)`,
    publicKey,
    sign: (data, hash) =>
      new Promise((resolve, reject) => {
        const options = hash === undefined ? {} : { hash: hash as "sha256" | "sha512" };
        agent.sign(publicKey, data, options, (error, signature) => {
          if (error || !signature) reject(error ?? new Error("the agent did not sign"));
          else resolve(signature);
        });
      }),
  }));
}
