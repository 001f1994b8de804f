import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the compiler finds the types of what a workflow imports, in a project that has nothing installed. */
export interface HostTypes {
  readonly paths: { readonly [specifier: string]: readonly string[] };
  readonly typeRoot: string;
}

export function hostTypes(): HostTypes {
  const built = (name: string) => dirname(fileURLToPath(import.meta.resolve(name)));
  const nodeTypes = createRequire(import.meta.url).resolve("@types/node/package.json");
  return {
    paths: { wf: [join(built("wf"), "index.d.ts")], zod: [join(built("zod"), "index.d.ts")] },
    typeRoot: dirname(dirname(nodeTypes)),
  };
}
