/**
 * The launcher as seen from here: where the built one lies, how it gets to a site, and what it makes ready there.
 *
 * @example
 * const launcher = new SiteLauncher({ storage: "/scratch/me/wf", transport, python: "python3" });
 * await launcher.deliver(signal);
 * await transport.run({ argv: [...launcher.command, "--version"] }, signal);
 */
export { BUILT_LAUNCHER } from "./built-launcher.ts";
export { checkPython, findPython } from "./find-python.ts";
export { type FailedLauncher, launcherFailure } from "./launcher-failure.ts";
export { createLineSplitter } from "./line-splitter.ts";
export { createLocalPreparer, type LocalPreparerOptions } from "./local-preparer.ts";
export { readPreparedRuntime } from "./read-prepared-runtime.ts";
export { runtimeKey } from "./runtime-key.ts";
export { SiteLauncher, type SiteLauncherOptions } from "./site-launcher.ts";
export { createSitePreparer, type SitePreparerOptions } from "./site-preparer.ts";
