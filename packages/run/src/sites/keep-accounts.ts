import type { Store } from "@wf/store";
import type { OpenSite } from "./open-site.ts";

const ASK_MS = 30_000;
/** Accounting is wrong or silent for some seconds after a job has ended. */
const LAG_SECONDS = 8;

/** Jobs of a run about which accounting can be asked by now. */
export function jobsToAskAbout(store: Store, run: string): string[] {
  return store.unaskedJobs(run, Date.now() / 1000 - LAG_SECONDS);
}

/** Asks about all of them at once, and stores what is said. */
export async function askAccounting(store: Store, run: string, ask: NonNullable<OpenSite["accounts"]>): Promise<void> {
  const jobs = jobsToAskAbout(store, run);
  if (jobs.length === 0) return;
  const wanted = new Set(jobs);
  const accounts = [...(await ask(jobs))].filter(([job]) => wanted.has(job));
  const journal = store.journal(run);
  journal.atomically(() => {
    for (const [job, account] of accounts) journal.jobAccounted(job, account);
  });
}

/** Asks now and then while a run goes on. Returns how to ask a last time. Whoever cannot answer is not waited for. */
export function keepAccounts(store: Store, run: string, ask: NonNullable<OpenSite["accounts"]>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  const tell = () => {
    last = last.then(() => askAccounting(store, run, ask)).catch(() => undefined);
    return last;
  };
  const timer = setInterval(tell, ASK_MS);
  return async () => {
    clearInterval(timer);
    await tell();
  };
}
