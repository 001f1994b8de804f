import { fileURLToPath } from "node:url";

/** What judges a launcher that lies on a site, without believing anything there. */
export const LAUNCHER_CHECK = fileURLToPath(new URL("../../../runtimes/launcher/check_unpacked.py", import.meta.url));

/** The zipapp that the build makes. Both `src` and `dist` lie two folders below the packages' parent. */
export const BUILT_LAUNCHER = fileURLToPath(
  new URL("../../../runtimes/launcher/dist/wf-launcher.pyz", import.meta.url),
);
