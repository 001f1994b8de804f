import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../package-script.mjs";

export const WF_PACKAGE = "packages/wf";

/**
 * What people may import of wf: the `exports` of packages/wf. `entry` is the file of the bundled program that holds a
 * door: flat, since code that looks for its files beside itself may end up in it.
 */
export function doorsOfWf() {
  const { name, exports } = JSON.parse(readFileSync(join(root, WF_PACKAGE, "package.json"), "utf8"));
  return Object.entries(exports).map(([subpath, { types, default: module }]) => {
    const specifier = `${name}${subpath.slice(1)}`;
    return {
      subpath,
      specifier,
      entry: specifier.replaceAll("/", "-"),
      types: join(WF_PACKAGE, types),
      module: join(WF_PACKAGE, module),
    };
  });
}
