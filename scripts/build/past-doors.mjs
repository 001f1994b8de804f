import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const STATEMENT = /^(import|export) \{([^}]*)\} from "(@wf\/[a-z-]+)";/gm;
const EXPORTS = /^export \{([^}]*)\} from "(\.[^"]+)";/gm;

/**
 * esbuild loads whatever a file imports, used or not, where code is split. A door that opens to a whole package would
 * make each command load all of it, so names are imported from the files that they stand in. `doors`: by package, the
 * built `index.js`, which only names what its files export.
 */
export function pastDoors(doors) {
  const files = new Map(Object.entries(doors).map(([name, door]) => [name, filesBehind(door)]));
  return {
    name: "past-doors",
    setup({ onLoad }) {
      onLoad({ filter: /\/packages\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => ({
        contents: redirected(await readFile(path, "utf8"), files),
        loader: "js",
      }));
    },
  };
}

/** Which file has each name. */
function filesBehind(door) {
  const files = new Map();
  for (const [, names, file] of readFileSync(door, "utf8").matchAll(EXPORTS)) {
    for (const name of listed(names)) files.set(name, join(dirname(door), file));
  }
  return files;
}

function redirected(text, files) {
  return text.replace(STATEMENT, (statement, verb, names, from) => {
    const behind = files.get(from);
    if (behind === undefined) return statement;
    const direct = listed(names).map((name) => {
      const file = behind.get(name.replace(/ as .*/, ""));
      if (file === undefined) throw new Error(`the door of ${from} does not name ${name}`);
      return `${verb} { ${name} } from ${JSON.stringify(file)};`;
    });
    // Source maps count lines.
    return direct.join(" ") + "\n".repeat(statement.split("\n").length - 1);
  });
}

function listed(names) {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
