import { canonical, type RuntimeWish, sha256 } from "@wf/protocol";

const KEY_LENGTH = 16;
const RELATIVE = /(^|\s|=)\.\.?\//;

/**
 * Names a runtime of a site: what is required, and the interpreter that the site chose, if it did. Law: `key_of` in the
 * launcher makes the same of the same wish. The place of a project enters it only where a requirement is a path from
 * there.
 */
export function runtimeKey({ requirements, requiresPython, project }: RuntimeWish, python: string | null): string {
  const place = requirements.some((line) => RELATIVE.test(line)) ? project : null;
  const wish = { requirements: [...requirements].sort(), requiresPython, python, project: place };
  return sha256(canonical(wish)).slice(0, KEY_LENGTH);
}
