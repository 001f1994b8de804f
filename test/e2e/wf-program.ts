import { fileURLToPath } from "node:url";

/** The built program that `./wf` starts. */
export const WF_MAIN = fileURLToPath(new URL("../../packages/cli/bundle/main.js", import.meta.url));
