/**
 * What a workflow imports and wf itself provides. A bundle names these by placeholders, so that it holds no path of
 * the machine; where it is run, the placeholders become the very modules that this process uses.
 */
const HOST_MODULES: Readonly<Record<string, string>> = {
  wf: import.meta.resolve("#host/wf"),
  zod: import.meta.resolve("#host/zod"),
};
const SCHEME = "wf:host/";

/** For esbuild: import specifier to placeholder. */
export const HOST_ALIASES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(HOST_MODULES).map((name) => [name, `${SCHEME}${name}`]),
);
export const HOST_SPECIFIERS = `${SCHEME}*`;

/** The bundle as this process can import it. */
export function withHostModules(bundle: string): string {
  return Object.entries(HOST_MODULES).reduce(
    (text, [name, url]) => text.replaceAll(`"${SCHEME}${name}"`, JSON.stringify(url)),
    bundle,
  );
}

/** The module that a URL of ours stands for, as its author wrote it; undefined for any other URL. */
export function hostModuleOf(url: string): string | undefined {
  return Object.keys(HOST_MODULES).find((name) => HOST_MODULES[name] === url);
}
