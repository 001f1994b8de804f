import { fileURLToPath } from "node:url";

/** The zipapp that the build makes. Both `src` and `dist` lie two folders below the packages' parent. */
export const BUILT_LAUNCHER = fileURLToPath(
  new URL("../../../runtimes/launcher/dist/wf-launcher.pyz", import.meta.url),
);
