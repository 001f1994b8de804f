import { join, resolve } from "node:path";
import { shellQuote, WfError } from "@wf/protocol";
import { type BuildFailure, type BuildOptions, build, type Message, type Metafile, stop } from "esbuild";
import { currentTruster, isTrusted, strangerOwning } from "../trusted-owner.ts";
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
  const options: WorkflowBuild = {
    entryPoints: [file],
    absWorkingDir: root,
    outfile: join(root, "workflow.mjs"),
    write: false,
    metafile: true,
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

type WorkflowBuild = BuildOptions & { readonly write: false; readonly metafile: true; readonly absWorkingDir: string };

async function bundleText(options: WorkflowBuild): Promise<string> {
  try {
    const { outputFiles, metafile } = await build(options);
    refuseForeignCode(metafile, options.absWorkingDir);
    return outputFiles[0]?.text ?? "";
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    throw explainBundleFailure(error.errors[0] as Message, error.errors.length - 1);
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);
}

/** Names are looked for in `node_modules` of all parent folders, and in those anybody may have put something. */
function refuseForeignCode({ inputs }: Metafile, root: string): void {
  const truster = currentTruster();
  if (isTrusted(root, truster)) return;
  for (const input of Object.keys(inputs)) {
    if (!input.startsWith("../")) continue;
    const file = resolve(root, input);
    const owner = strangerOwning(file, truster);
    if (owner === undefined) continue;
    throw new WfError(
      "WF_PROJECT_FOREIGN",
      `the workflow imports code of another user (${owner}) from outside of its project`,
      {
        where: file,
        hint: `install the package in the project; or if you trust them: export WF_TRUST=${shellQuote(root)}`,
      },
    );
  }
}
