import { SiteLauncher } from "@wf/launcher";
import { WfError } from "@wf/protocol";
import type { NamedSite } from "@wf/site";
import type { Transport } from "@wf/transport";
import { z } from "zod";
import { openTransport } from "./open-transport.ts";
import { queuedJobs } from "./queued-jobs.ts";
import { siteStorage } from "./site-storage.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** What a store still has and needs: the rest of what it left on a site may go. */
export interface Needs {
  readonly identity: StoreIdentity;
  readonly runs: readonly string[];
  /** Hashes; what manifests among them lead to is needed as well. */
  readonly content: readonly string[];
  /** What is younger stays, needed or not. */
  readonly youngSeconds: number;
}

const Tally = z.object({ count: z.number(), bytes: z.number() });
const Swept = z.object({
  runs: Tally,
  objects: Tally,
  leftovers: Tally,
  young: Tally,
  kept: Tally,
  /** Runs that would go, but whose jobs are in the queue. */
  busy: z.array(z.string()),
  /** How many runs there are not this store's. */
  others: z.number(),
});
const Reply = z.union([
  z.object({ open: z.string() }),
  z.object({ sweeping: z.string() }),
  z.object({ lost: z.string() }),
  Swept,
]);
export type Swept = z.infer<typeof Swept> & {
  /** Of the site. */
  readonly name: string;
};

const NOTHING = { count: 0, bytes: 0 };
const EMPTY: z.infer<typeof Swept> = {
  runs: NOTHING,
  objects: NOTHING,
  leftovers: NOTHING,
  young: NOTHING,
  kept: NOTHING,
  busy: [],
  others: 0,
};

const TIMEOUT_MS = 60 * 60_000;
/** The mark of an engine that was killed, and never resumed, counts for so long. */
const OPEN_SECONDS = 30 * 24 * 60 * 60;

/** Removes from a site's storage what no run needs any more; with `isDryRun` only says what. */
export async function sweepSite(
  site: NamedSite,
  needs: Needs,
  isDryRun: boolean,
  note: (text: string) => void,
): Promise<Swept> {
  const { name } = site;
  if (site.storage === undefined) return { name, ...EMPTY };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const transport = openTransport(site, note);
  try {
    const storage = await siteStorage(site.storage, transport, signal);
    if ((await transport.stat(storage, signal)) === undefined) return { name, ...EMPTY };
    return await sweep({ site, transport, storage }, needs, isDryRun, signal);
  } finally {
    await transport.close();
  }
}

interface Place {
  readonly site: NamedSite;
  readonly transport: Transport;
  readonly storage: string;
}

async function sweep(
  { site, transport, storage }: Place,
  { identity, runs, content, youngSeconds }: Needs,
  isDryRun: boolean,
  signal: AbortSignal,
): Promise<Swept> {
  const launcher = new SiteLauncher({ storage, transport, python: site.python ?? "python3", site: site.name });
  await launcher.deliver(signal);
  const live = await queuedJobs(site, transport, signal);
  const { store, where } = identity;
  const request = { store, where, runs, needed: content, live, isDryRun, youngSeconds, openSeconds: OPEN_SECONDS };
  const argv: [string, ...string[]] = [...launcher.command, "sweep", storage];
  const { code, stdout, stderr } = await transport.run(
    { argv, stdin: JSON.stringify(request), isRepeatable: true, timeoutMs: TIMEOUT_MS },
    signal,
  );
  if (code !== 0) {
    throw new WfError("WF_SITE_COMMAND", `the storage of ${site.name} could not be swept: ${stderr.trim()}`, {
      where: `${transport.name}: ${argv.join(" ")}`,
      hint: `check with: wf doctor --site ${site.name}`,
    });
  }
  const reply = Reply.parse(JSON.parse(stdout));
  if ("open" in reply) throw anotherIsOpen(site, reply.open);
  if ("sweeping" in reply) throw anotherSweeps(site, reply.sweeping);
  if ("lost" in reply) throw lostLease(site, reply.lost);
  return { name: site.name, ...reply };
}

function anotherIsOpen({ name }: NamedSite, run: string): WfError {
  return new WfError(
    "WF_RUN_OWNED",
    `nothing was removed on ${name}: ${run} still runs there, or was killed, and may need what no run names`,
    { hint: "wait for it, or end it there with: wf resume, or wf cancel" },
  );
}

function anotherSweeps({ name }: NamedSite, who: string): WfError {
  return new WfError("WF_RUN_OWNED", `nothing was removed on ${name}: wf gc of ${who} is at work there`, {
    hint: "try again when it has ended; one that was killed is in the way for two minutes",
  });
}

function lostLease({ name }: NamedSite, why: string): WfError {
  return new WfError("WF_RUN_OWNED", `not all was removed on ${name}: ${why}`, { hint: `wf gc --site ${name}` });
}
