import { createHmac } from "node:crypto";

/** One line of a known_hosts file that speaks of a machine. */
export interface KnownHost {
  readonly marker: "none" | "revoked" | "cert-authority";
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** The public key, in base64. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
}

/** The lines that speak of a machine: by its name, by a pattern, or by a hash of the name. */
export function findKnownHosts(text: string, file: string, name: string): readonly KnownHost[] {
  const found: KnownHost[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.trim().split(/\s+/);
    const marker = words[0]?.startsWith("@") ? words.shift()?.slice(1) : undefined;
    const [names, type, key] = words;
    if (names === undefined || type === undefined || key === undefined || names.startsWith("#")) continue;
    if (!isNamed(names, name)) continue;
    const isKnown = marker === undefined || marker === "revoked" || marker === "cert-authority";
    if (isKnown) found.push({ marker: marker ?? "none", type, key, file, line: index + 1 });
  }
  return found;
}

function isNamed(names: string, name: string): boolean {
  if (names.startsWith("|1|")) return isHashOf(names, name);
  const patterns = names.split(",");
  const matches = (pattern: string) => patternToRegExp(pattern).test(name);
  if (patterns.some((pattern) => pattern.startsWith("!") && matches(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith("!") && matches(pattern));
}

/** `|1|SALT|HASH`, both in base64: HMAC-SHA1 of the name. */
function isHashOf(hashed: string, name: string): boolean {
  const [, , salt = "", hash = ""] = hashed.split("|");
  return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash;
}

function patternToRegExp(pattern: string): RegExp {
  const source = pattern
    .toLowerCase()
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`);
}
