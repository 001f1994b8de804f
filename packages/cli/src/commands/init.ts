import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { shellQuote, WfError } from "@wf/protocol";
import { writeEditorConfig } from "@wf/run";
import { writeDocument } from "@wf/transport";
import type { GlobalOptions } from "../command-options.ts";
import { printJson, printLines, screenOf } from "../screen.ts";
import { TEMPLATE } from "../template-folder.ts";

/** What is written, and from what: a package cannot hold a file that is called .gitignore. */
const FILES: Readonly<Record<string, string>> = {
  "workflow.ts": "workflow.ts",
  "data/poem.txt": "data/poem.txt",
  "sites.yaml": "sites.yaml",
  "tsconfig.json": "tsconfig.json",
  ".gitignore": "gitignore",
  "README.md": "README.md",
};

export async function init(folder: string | undefined, options: GlobalOptions): Promise<number> {
  const root = resolve(folder ?? ".");
  const inTheWay = Object.keys(FILES).filter((name) => existsSync(join(root, name)));
  if (inTheWay.length > 0) {
    throw new WfError("WF_USAGE", `${inTheWay.join(", ")} ${inTheWay.length === 1 ? "is" : "are"} there already`, {
      where: root,
      hint: "choose a new folder: wf init my-project",
    });
  }
  write(root);
  const screen = screenOf(process.stdout, options);
  if (options.json === true) {
    printJson(screen, { type: "init.finished", folder: root, files: Object.keys(FILES) });
    return 0;
  }
  const { bold, green } = screen.colours;
  const steps = ["wf run workflow.ts --outputs results", "cat results/report.md"];
  printLines(screen, [
    `${green("ok")} wrote ${Object.keys(FILES).join(", ")}`,
    "",
    "Type next:",
    ...(folder === undefined ? steps : [`cd ${shellQuote(folder)}`, ...steps]).map((step) => `  ${bold(step)}`),
  ]);
  return 0;
}

function write(root: string): void {
  try {
    for (const [name, from] of Object.entries(FILES)) {
      writeDocument(join(root, name), readFileSync(join(TEMPLATE, from)));
    }
    writeEditorConfig(root);
  } catch (cause) {
    throw new WfError("WF_USAGE", `the project cannot be written: ${(cause as Error).message}`, {
      where: root,
      hint: "choose a folder that can be written: wf init DIR",
      cause,
    });
  }
}
