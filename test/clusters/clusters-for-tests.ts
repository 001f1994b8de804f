import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLACES = 60;
const PLACES_APART = 5;

/** What workers need to bring up clusters of their own. */
export interface ClustersForTests {
  /** Those that are up, each in a file with the number of the worker that has it. */
  readonly notes: string;
  /** The process that they go with. */
  readonly owner: number;
  /** Where the search for ports begins. */
  readonly place: number;
}

export function newClustersForTests(): ClustersForTests {
  const notes = mkdtempSync(join(tmpdir(), "wf-clusters-"));
  return { notes, owner: process.pid, place: Math.floor(Math.random() * PLACES) };
}

/** Takes down what is up, whatever became of the tests. */
export async function stopClusters<Cluster>(
  { notes }: ClustersForTests,
  stop: (cluster: Cluster) => Promise<void>,
): Promise<void> {
  const read = (name: string): Cluster => JSON.parse(readFileSync(join(notes, name), "utf8"));
  await Promise.all(readdirSync(notes).map((name) => stop(read(name))));
  rmSync(notes, { recursive: true });
}

/**
 * The cluster of this worker: while a file of tests runs, nobody else uses it, so that it may stop daemons and kill nodes.
 * What it stops it starts again. Null where there can be no cluster.
 */
export async function ownCluster<Cluster>(
  clusters: ClustersForTests | null,
  start: (wish: { readonly owner: number; readonly place: number }) => Promise<Cluster>,
): Promise<Cluster | null> {
  if (clusters === null) return null;
  const { notes, owner, place } = clusters;
  const worker = Number(process.env.VITEST_POOL_ID);
  const note = join(notes, `${worker}.json`);
  if (existsSync(note)) return JSON.parse(readFileSync(note, "utf8")) as Cluster;
  const cluster = await start({ owner, place: place + worker * PLACES_APART });
  writeFileSync(note, JSON.stringify(cluster));
  return cluster;
}
