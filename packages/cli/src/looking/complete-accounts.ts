import { htcondorAccounts } from "@wf/backend-htcondor";
import { slurmAccounts } from "@wf/backend-slurm";
import { askAccounting, jobsToAskAbout, openTransport, RunSite } from "@wf/run";
import { Store } from "@wf/store";

/** Asks a cluster what it has not told of a run's last jobs. Where it cannot be reached, the rest is shown without it. */
export async function completeAccounts(looking: Store, run: string, note: (text: string) => void): Promise<void> {
  if (jobsToAskAbout(looking, run).length === 0) return;
  const site = RunSite.safeParse((looking.run(run).options as { readonly site?: unknown }).site).data;
  if (site === undefined || site.backend === "local") return;
  const transport = openTransport(site);
  const store = Store.open(looking.folder);
  try {
    const { signal } = new AbortController();
    const accounts = site.backend === "slurm" ? slurmAccounts : htcondorAccounts;
    await askAccounting(store, run, (jobs) => accounts(transport, jobs, signal));
  } catch (error) {
    note(`the accounting of the cluster could not be asked: ${(error as Error).message}`);
  } finally {
    store.close();
    await transport.close();
  }
}
