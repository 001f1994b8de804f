import { join } from "node:path";
import { type BuildFailure, type BuildOptions, build, type Message, stop } from "esbuild";
import { explainBundleFailure } from "./explain-bundle-failure.ts";
import { HOST_ALIASES, HOST_SPECIFIERS } from "./host-module.ts";

/** CommonJS packages ask for Node's own modules in a way that an ES module does not have. */
const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
const NEEDS_REQUIRE = "var __require = ";

/**
 * Makes one ES module, with its source map, of a workflow file and what it imports. Law: the same sources give the same bundle on every
 * machine; file names in it are relative to the project.
 */
export async function bundleWorkflow(file: string, root: string): Promise<string> {
  const options: BuildOptions & { write: false } = {
    entryPoints: [file],
    absWorkingDir: root,
    outfile: join(root, "workflow.mjs"),
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    alias: { ...HOST_ALIASES },
    external: [HOST_SPECIFIERS],
  };
  try {
    const text = await bundleText(options);
    return text.includes(NEEDS_REQUIRE) ? await bundleText({ ...options, banner: { js: REQUIRE } }) : text;
  } finally {
    // esbuild would wait for more in a process of its own, for as long as the run takes.
    await stop();
  }
}

async function bundleText(options: BuildOptions & { write: false }): Promise<string> {
  try {
    const { outputFiles } = await build(options);
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    throw explainBundleFailure(error.errors[0] as Message, error.errors.length - 1);
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);
}
