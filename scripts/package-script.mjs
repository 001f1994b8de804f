import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");

/** A script of package.json as `pnpm NAME` runs it, without the half second that pnpm takes to start. */
export function packageScript(name, ...extraArguments) {
  const script = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts[name];
  return {
    script,
    argv: ["sh", "-c", `${script} "$@"`, name, ...extraArguments],
    env: { PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
  };
}
