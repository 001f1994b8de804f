import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Graph } from "@wf/core";
import { ObjectStore } from "@wf/data";
import { sha256, type Value } from "@wf/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFnHost } from "./fn-host.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wf fn host "));
});
afterEach(() => rmSync(home, { recursive: true }));

const file = (name: string): Value => ({ kind: "file", hash: sha256("x"), size: 1, name });

test.each(["../../../../planted", "m/../../../../planted", "/etc/planted", "..", "a\0", "x".repeat(256)])(
  "an input called %j fails its function, and makes no link anywhere",
  async (name) => {
    const host = createFnHost({
      graph: {} as Graph,
      bundleUrl: "",
      params: {},
      objects: new ObjectStore(join(home, "store")),
      attemptFolder: (attempt) => join(home, "attempts", attempt),
      bring: async () => undefined,
    });
    for (const value of [file(name), { kind: "list", items: [file("good"), file(name)] } as const]) {
      const call = { task: "f", attempt: "f@1", inputs: { x: value }, params: {}, timeLimitSeconds: null };
      const result = await host.run(call, new AbortController().signal);
      expect(result).toMatchObject({
        ok: false,
        class: "stage-in",
        message: expect.stringContaining("name of a file"),
      });
      expect(readdirSync(home)).toEqual(["attempts"]);
      expect(readdirSync(join(home, "attempts"))).toEqual(["f@1"]);
      expect(existsSync(join(home, "attempts/f@1/in"))).toBe(false);
    }
  },
);
