import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A project in a folder of its own, with a store inside. */
export class TestProject {
  readonly root = mkdtempSync(join(tmpdir(), "wf-run-"));
  readonly store = join(this.root, ".wf");

  constructor(files: Readonly<Record<string, string>>) {
    mkdirSync(this.store, { mode: 0o700 });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), text);
    }
  }

  path(name: string): string {
    return join(this.root, name);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
