import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, also for programs of tests that run as they were compiled. */
export const REPOSITORY = above(dirname(fileURLToPath(import.meta.url)));

function above(folder: string): string {
  return existsSync(join(folder, "pnpm-workspace.yaml")) ? folder : above(dirname(folder));
}
