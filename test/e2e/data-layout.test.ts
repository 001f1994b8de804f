import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { datasetFromColumns, Importer, MemoryHashCache, materialise, ObjectStore } from "@wf/data";
import { TaskRecord, type Value } from "@wf/protocol";
import { afterAll, expect, it } from "vitest";

/**
 * The launcher (Python) and the data package (TypeScript) lay artifacts out, read them back and hash them each on
 * their own. Law: a task that copies its inputs to its outputs gives the same values back.
 */
const LAUNCHER = join(import.meta.dirname, "../../runtimes/launcher/dist/wf-launcher.pyz");
const site = mkdtempSync(join(tmpdir(), "wf-data-layout-"));
const objects = new ObjectStore(site);
const importer = new Importer(objects, new MemoryHashCache());
afterAll(() => rmSync(site, { recursive: true, force: true }));

const file = (text: string, name: string) => objects.putBytes(Buffer.from(text), name);

function runTask(
  argv: readonly string[],
  inputs: { readonly [name: string]: Value },
  outputs: readonly object[],
): TaskRecord {
  const job = {
    version: 1,
    run: "r1",
    job: "j1",
    storage: site,
    cpus: 1,
    memoryBytes: 0,
    gpus: 0,
    tasks: [
      {
        task: "copy",
        attempt: "a1",
        after: [],
        argv,
        env: {},
        inputs: Object.entries(inputs).map(([name, value]) => ({ name, path: `in/${name}`, value, how: "link" })),
        outputs,
        params: {},
        cpus: 1,
        memoryBytes: 0,
        gpus: 0,
        timeLimitSeconds: null,
        graceSeconds: 1,
        warnSeconds: 0,
        keepSandbox: "never",
      },
    ],
  };
  mkdirSync(join(site, "runs/r1/records"), { recursive: true });
  mkdirSync(join(site, "runs/r1/attempts"), { recursive: true });
  writeFileSync(join(site, "job.json"), JSON.stringify(job));
  execFileSync("python3", ["-I", "-S", LAUNCHER, "run", join(site, "job.json")]);
  return TaskRecord.parse(JSON.parse(readFileSync(join(site, "runs/r1/records/a1.json"), "utf8")));
}

it("gives the same values for what a task copies from its inputs", async () => {
  const rows = datasetFromColumns(objects, {
    image: [file("1", 'a b".png'), file("2", "é\n.png"), file("3", "c.png")],
    mask: [file("4", "x.tif"), file("5", "\u{1F600}.tif"), file("6", "\uFFFD.tif")],
    label: [objects.putJson({ b: 1, a: [1e21, 1e-7, 0.1] }), objects.putJson("ü"), objects.putJson(null)],
  });
  const source = join(site, "source");
  for (const [path, text] of [
    ["\u{1F600}/x", "1"],
    ["\uFB01/x", "2"],
    ["deep/er/y", "3"],
  ] as const) {
    mkdirSync(join(source, path, ".."), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  writeFileSync(join(source, "tool"), "#!/bin/sh\n");
  chmodSync(join(source, "tool"), 0o755);
  const tree = await importer.importDirectory(source);
  const number = objects.putJson({ z: 1.5, é: [true, -0, 1e300] });
  const list: Value = { kind: "list", items: [file("1", "q.txt"), number, tree, rows, { kind: "absent" }] };

  const copy =
    "cp -rL in/rows/. out/rows/ && cp -rL in/tree/. out/tree/ && cp -L in/number out/ && cp -rL in/list out/";
  const record = runTask(["sh", "-c", copy], { rows, tree, number, list }, [
    { name: "rows", path: "out/rows", kind: "dataset", columns: { image: "file", mask: "file", label: "value" } },
    { name: "tree", path: "out/tree", kind: "directory" },
    { name: "number", path: "out/number", kind: "json" },
    { name: "list", path: "out/list", kind: "directory" },
  ]);
  expect(record.outputs).toMatchObject({ rows, tree, number });

  await materialise(list, join(site, "laid-out"), objects);
  expect(record.outputs.list).toEqual(await importer.importDirectory(join(site, "laid-out")));
});
