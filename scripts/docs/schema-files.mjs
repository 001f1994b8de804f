import { jsonSchemas, launcherPaths } from "../../packages/protocol/dist/index.js";

const FOLDER = "packages/protocol/schemas";

/** JSON Schema of every document that the launcher reads or writes, and where it finds and leaves them. */
export function schemaFiles() {
  const documents = Object.entries(jsonSchemas()).map(([name, schema]) => [`${FOLDER}/${name}.schema.json`, schema]);
  return Object.fromEntries(
    [...documents, [`${FOLDER}/paths.json`, launcherPaths()]].map(([path, content]) => [
      path,
      `${JSON.stringify(content, undefined, 2)}\n`,
    ]),
  );
}
