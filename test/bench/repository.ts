import { fileURLToPath } from "node:url";

/** The root of the repository, seen from `test/bench/dist/bench`, where benchmarks run. */
export const REPOSITORY = fileURLToPath(new URL("../../../..", import.meta.url));
