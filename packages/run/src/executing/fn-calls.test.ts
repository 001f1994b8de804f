import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ObjectStore } from "@wf/data";
import type { FnHost } from "@wf/engine";
import type { Json, Value } from "@wf/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findProject } from "../project.ts";
import { TestProject } from "../testing/test-project.ts";
import { loadWorkflow } from "../workflow-file/load-workflow.ts";
import { createFnHost } from "./fn-host.ts";

/** One function for each way in which one can end. */
const FLOW = `
import { readFileSync } from "node:fs";
import { file, fn, json, optional, workflow, z } from "wf";
const add = fn({
  name: "add",
  inputs: { a: json(z.number()), text: file("txt") },
  params: z.object({ b: z.number() }),
  outputs: { sum: json(z.number()), copy: file("txt"), maybe: optional(json(z.number())) },
  run: ({ inputs, params }) => {
    console.log("adding");
    return { sum: inputs.a + params.b, copy: readFileSync(inputs.text, "utf8") };
  },
});
const plain = (name, run) => fn({ name, outputs: { x: json(z.number()) }, run });
const throws = plain("throws", () => { throw new Error("no such luck"); });
const forgets = plain("forgets", () => ({}));
const hangs = plain("hangs", () => new Promise(() => setInterval(() => undefined, 1000)));
const exits = plain("exits", () => process.exit(3));
export default workflow({
  name: "flow",
  inputs: { a: json(z.number()), text: file("txt") },
  build: ({ inputs }) => ({
    ...add(inputs, { b: 2 }), throws: throws({}).x, forgets: forgets({}).x, hangs: hangs({}).x, exits: exits({}).x,
  }),
});
`;

let project: TestProject;
let objects: ObjectStore;
let host: FnHost;
beforeEach(async () => {
  project = new TestProject({ "flow.ts": FLOW });
  objects = new ObjectStore(project.store);
  const loaded = await loadWorkflow(project.path("flow.ts"), findProject(project.root, project.store));
  host = createFnHost({
    graph: loaded.workflow.toGraph({}, ["a", "text"]),
    objects,
    params: {},
    bundleUrl: pathToFileURL(join(project.store, "bundles", `${loaded.hash}.mjs`)).href,
    attemptFolder: (attempt) => project.path(`attempts/${attempt}`),
    bring: async () => undefined,
  });
});
afterEach(async () => {
  await host.close();
  project.remove();
});

const call = (
  task: string,
  inputs: Readonly<Record<string, Value>> = {},
  params: Readonly<Record<string, Json>> = {},
  { signal = new AbortController().signal, timeLimitSeconds = null as number | null } = {},
) => host.run({ task, attempt: `${task}@1`, inputs, params, timeLimitSeconds }, signal);

it("a function gets values and files, and what it returns is kept and measured", async () => {
  const text = objects.putBytes(Buffer.from("words"), "text.txt");
  const result = await call("add", { a: objects.putJson(40), text }, { b: 2 });
  expect(result).toMatchObject({
    ok: true,
    outputs: { sum: { kind: "json", value: 42 }, copy: { kind: "file", name: "copy.txt" }, maybe: { kind: "absent" } },
    usage: { peakMemoryBytes: expect.any(Number), userSeconds: expect.any(Number) },
  });
  expect(readFileSync(project.path("attempts/add@1/stdout"), "utf8")).toBe("adding\n");
  expect(existsSync(project.path("attempts/add@1/in")), "its inputs are taken away").toBe(false);
});

it("one that throws has failed with its words, and the next one runs", async () => {
  expect(await call("throws")).toMatchObject({ ok: false, class: "exit", message: "no such luck" });
  expect(readFileSync(project.path("attempts/throws@1/stderr"), "utf8")).toContain("flow.ts");
  expect(await call("forgets")).toMatchObject({ ok: false, class: "output-invalid", message: 'it returned no "x"' });
});

it("one that ends the process has failed, and the next one gets a new one", async () => {
  expect(await call("exits")).toMatchObject({ ok: false, class: "exit" });
  expect(await call("throws")).toMatchObject({ ok: false, message: "no such luck" });
});

it("one that takes too long is ended", async () => {
  const result = await call("hangs", {}, {}, { timeLimitSeconds: 0.2 });
  expect(result).toMatchObject({ ok: false, class: "time-limit" });
  expect(await call("throws")).toMatchObject({ message: "no such luck" });
});

it("one that is cancelled is ended, and one that was cancelled before never begins", async () => {
  const aborter = new AbortController();
  const ending = call("hangs", {}, {}, { signal: aborter.signal });
  aborter.abort();
  expect(await ending).toMatchObject({ ok: false, class: "cancelled" });
});
