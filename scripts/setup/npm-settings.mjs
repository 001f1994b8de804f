/**
 * What people have told npm, for those who would not hear of it: pnpm looks for npm's global file beside its own Node,
 * and what builds a native module knows proxies and certificates from the environment alone.
 */
const HANDED_ON = ["globalconfig", "proxy", "https-proxy", "noproxy", "cafile"];
const NOTHING = ["", "null", "undefined", "false"];

/**
 * As variables of the environment, which npm, pnpm and node-gyp all read. What fetches a ready-made SQLite reads no
 * certificates from any of them, but Node does.
 */
export async function npmSettings(run) {
  const { output } = await run(["npm", "config", "get", ...HANDED_ON]);
  const told = output
    .split("\n")
    .map((line) => /^([a-z-]+)=(.*)$/.exec(line))
    .filter((match) => match !== null && HANDED_ON.includes(match[1]) && !NOTHING.includes(match[2]));
  const variables = told.map(([, name, value]) => [`npm_config_${name.replaceAll("-", "_")}`, value]);
  const certificates = told.find(([, name]) => name === "cafile")?.[2];
  const isNodeTold = process.env.NODE_EXTRA_CA_CERTS || certificates === undefined;
  return Object.fromEntries(isNodeTold ? variables : [...variables, ["NODE_EXTRA_CA_CERTS", certificates]]);
}
