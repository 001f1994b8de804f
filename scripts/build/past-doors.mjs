import { readFile } from "node:fs/promises";
import { filesBehind, importedAs, listed } from "./files-behind-door.mjs";

const STATEMENT = /^(import|export) \{([^}]*)\} from "(@wf\/[a-z-]+)";/gm;

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

function redirected(text, files) {
  return text.replace(STATEMENT, (statement, verb, names, from) => {
    const behind = files.get(from);
    if (behind === undefined) return statement;
    const direct = listed(names).map((name) => {
      const file = behind.get(importedAs(name));
      if (file === undefined) throw new Error(`the door of ${from} does not name ${name}`);
      return `${verb} { ${name} } from ${JSON.stringify(file)};`;
    });
    // Source maps count lines.
    return direct.join(" ") + "\n".repeat(statement.split("\n").length - 1);
  });
}
