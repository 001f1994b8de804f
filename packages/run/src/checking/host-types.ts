import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the compiler finds the types of what a workflow imports, in a project that has nothing installed. */
export interface HostTypes {
  readonly paths: { readonly [specifier: string]: readonly string[] };
  readonly typeRoot: string;
}

export function hostTypes(): HostTypes {
  const besides = (module: string) => join(dirname(fileURLToPath(module)), "index.d.ts");
  const nodeTypes = createRequire(import.meta.url).resolve("@types/node/package.json");
  return {
    paths: {
      wf: [besides(import.meta.resolve("#types/wf"))],
      "wf/run": [besides(import.meta.resolve("#types/wf-run"))],
      zod: [besides(import.meta.resolve("zod"))],
    },
    typeRoot: dirname(dirname(nodeTypes)),
  };
}
