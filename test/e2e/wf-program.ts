import { join } from "node:path";
import { REPOSITORY } from "../repository.ts";

/** The built program that `./wf` starts. */
export const WF_MAIN = join(REPOSITORY, "packages/cli/bundle/main.js");
