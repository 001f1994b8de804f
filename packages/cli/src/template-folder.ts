import { fileURLToPath } from "node:url";

/** What `wf init` writes. `src`, `dist` and `bundle` lie beside it. */
export const TEMPLATE = fileURLToPath(new URL("../template/", import.meta.url));
