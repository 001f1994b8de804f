import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Movement, ObjectStore } from "@wf/data";
import { sha256 } from "@wf/protocol";
import { SlurmSettings } from "@wf/site";
import { nobodyToAsk } from "@wf/transport";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSite, type SiteToOpen } from "./open-site.ts";

const { signal } = new AbortController();
let home: string;
let moved: Movement[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wf-open-site-"));
  mkdirSync(join(home, "store"));
  moved = [];
});
afterEach(() => rmSync(home, { recursive: true }));

/** A cluster whose login node is this machine. Nothing is submitted, so that no scheduler need be there. */
const cluster = (more: Partial<SiteToOpen> = {}): SiteToOpen => ({
  run: "demo-1",
  site: {
    backend: "slurm",
    slurm: SlurmSettings.parse({}),
    storage: join(home, "site"),
    capacity: null,
    clustering: { strategy: "none", tasksPerJob: 16, stages: {} },
    placement: "shared",
    env: {},
  },
  siteName: "cluster",
  after: [],
  folder: join(home, "store"),
  objects: new ObjectStore(join(home, "store")),
  note: () => undefined,
  ask: nobodyToAsk,
  onMoved: (movement) => void moved.push(movement),
  canReuse: true,
  ...more,
});
const mark = () => join(home, "site/leases/demo-1");

it("marks a run on a site as open while it is, with whose it is", async () => {
  const site = await openSite(cluster(), signal);
  expect(site.storage).toBe(join(home, "site"));
  expect(existsSync(mark())).toBe(true);
  const whose = JSON.parse(readFileSync(join(home, "site/runs/demo-1/store.json"), "utf8"));
  expect(whose.store).toBe(readFileSync(join(home, "store/store-id"), "utf8"));
  await site.close();
  expect(existsSync(mark())).toBe(false);
});

it("shows what attempts leave there where a person looks for it", async () => {
  const site = await openSite(cluster(), signal);
  expect(readlinkSync(join(home, "store/runs/demo-1/attempts"))).toBe(join(home, "site/runs/demo-1/attempts"));
  await site.close();
  await (await openSite(cluster(), signal)).close();
});

it("moves content there and back, once, and tells of it", async () => {
  const wish = cluster();
  const site = await openSite(wish, signal);
  const here = wish.objects.putBytes(Buffer.from("from here"), "a.txt");
  await site.content?.send([here], signal);
  expect(readFileSync(join(home, "site/objects", here.hash.slice(0, 2), here.hash), "utf8")).toBe("from here");
  await site.content?.send([here], signal);

  const hash = sha256("from there");
  mkdirSync(join(home, "site/objects", hash.slice(0, 2)), { recursive: true });
  writeFileSync(join(home, "site/objects", hash.slice(0, 2), hash), "from there");
  await site.content?.fetch([{ kind: "file", hash, size: 10, name: "b.txt" }], signal);
  expect(readFileSync(wish.objects.path(hash), "utf8")).toBe("from there");
  await site.close();
  expect(moved.map(({ direction, bytes }) => [direction, bytes])).toEqual([
    ["there", 9],
    ["here", 10],
  ]);
});

it("knows what earlier runs left there, before anything is asked of it", async () => {
  const wish = cluster();
  const first = await openSite(wish, signal);
  const value = wish.objects.putBytes(Buffer.from("kept"), "a.txt");
  await first.content?.send([value], signal);
  await first.close();
  const second = await openSite(cluster({ run: "demo-2" }), signal);
  expect(second.content?.has(value.hash, 4)).toBe(true);
  await second.close();
});

it("leaves nothing open when it cannot be opened", async () => {
  writeFileSync(join(home, "site"), "no folder");
  await expect(openSite(cluster(), signal)).rejects.toMatchObject({ name: "WfError" });
});

it("this machine has no mark, no queue and no content elsewhere", async () => {
  const capacity = { cpus: 1, memoryBytes: 1e9, gpus: 0 };
  const { clustering, placement, env } = cluster().site;
  const site = await openSite(cluster({ site: { backend: "local", capacity, clustering, placement, env } }), signal);
  expect(site).toMatchObject({ storage: join(home, "store"), queue: null, accounts: null, content: null });
  await site.close();
  expect(existsSync(join(home, "site"))).toBe(false);
});
