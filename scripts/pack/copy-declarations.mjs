import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import ts from "typescript";
import { filesBehind, importedAs, listed } from "../build/files-behind-door.mjs";
import { root } from "../package-script.mjs";

const STATEMENT = /^(import|export) (type )?\{([^}]*)\} from "(@wf\/[^"]+)";/gm;

/**
 * Copies declarations, and all that they import of our packages, to the same places below `target`. Our packages are
 * not installed where the copies are read, so their names become relative paths; of a package, only the files go along
 * that declare what is mentioned. Returns the names of other packages that the declarations mention.
 */
export function copyDeclarations(entries, target) {
  const others = new Set();
  const found = new Set(entries);
  for (const file of found) {
    const text = pastDoors(readFileSync(join(root, file), "utf8"), file);
    const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(text, true, true);
    for (const { fileName } of typeReferenceDirectives) others.add(fileName);
    const rewritten = importedFiles.toReversed().reduce((result, { fileName, pos }) => {
      const declaration = ownDeclaration(fileName, file);
      if (declaration === undefined) {
        others.add(fileName);
        return result;
      }
      found.add(declaration);
      const start = pos + 1;
      return `${result.slice(0, start)}${pathTo(declaration, file)}${result.slice(start + fileName.length)}`;
    }, text);
    mkdirSync(dirname(join(target, file)), { recursive: true });
    writeFileSync(join(target, file), rewritten.replace(/^\/\/# sourceMappingURL=.*\n?/m, ""));
  }
  return others;
}

/** Names are imported from the files that declare them, and not from the door of their package. */
function pastDoors(text, importer) {
  return text.replace(STATEMENT, (_, verb, type = "", names, specifier) => {
    const door = ownDeclaration(specifier, importer);
    const files = filesBehind(join(root, door));
    return listed(names)
      .map((part) => {
        const file = files.get(importedAs(part));
        const declaration = file === undefined ? door : posix.relative(root, file).replace(/\.[jt]s$/, ".d.ts");
        return `${verb} ${type}{ ${part} } from "${pathTo(declaration, importer)}";`;
      })
      .join("\n");
  });
}

/** Where an import leads, relative to the repository; undefined if that is no file of ours. */
function ownDeclaration(specifier, importer) {
  if (specifier.startsWith(".")) return posix.join(posix.dirname(importer), specifier).replace(/\.[jt]s$/, ".d.ts");
  const [, name, subpath = ""] = /^@wf\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const folder = `packages/${name}`;
  const { exports } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  return posix.join(folder, exports[`.${subpath}`].types);
}

function pathTo(declaration, importer) {
  const path = posix.relative(posix.dirname(importer), declaration).replace(/\.d\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}
