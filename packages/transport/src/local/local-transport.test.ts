import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transportContract } from "../contract/index.ts";
import { localTransport } from "./local-transport.ts";

transportContract("local", async () => {
  const transport = localTransport();
  const [root, local] = ["place", "here"].map((name) => mkdtempSync(join(tmpdir(), `wf-local-${name}-`)));
  return {
    transport,
    root: root as string,
    local: local as string,
    async dispose() {
      await transport.close();
      for (const folder of [root, local]) rmSync(folder as string, { recursive: true, force: true });
    },
  };
});
