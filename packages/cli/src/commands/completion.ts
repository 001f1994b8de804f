import { SCRIPTS, type Shell } from "../completion/scripts.ts";

export async function completion(shell: Shell): Promise<number> {
  process.stdout.write(SCRIPTS[shell]);
  return 0;
}
