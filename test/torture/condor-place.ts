import { join } from "node:path";
import { until } from "@wf/testing";
import { startCondor, stopCondor, whyNoCondor, wipeAbandonedCondor } from "../clusters/condor-cluster.ts";
import { onSubmitHost } from "../pool/condor-commands.ts";
import { killProgram } from "../pool/pool-daemons.ts";
import { REPOSITORY } from "../repository.ts";
import { QUICK, roundsOn, wipeAtExit } from "./on-cluster.ts";
import type { Place } from "./place.ts";

/** A real HTCondor on this machine, reached over ssh as from a laptop. */
export async function condorPlace({ hasClock }: { readonly hasClock: boolean }): Promise<Place> {
  const why = whyNoCondor();
  if (why !== undefined) throw new Error(`there can be no pool here: ${why}`);
  const recipe = join(REPOSITORY, "test/clusters/condor-up");
  await wipeAbandonedCondor(recipe);
  const pool = await startCondor({ recipe });
  wipeAtExit(pool);
  const queued = () => onSubmitHost(pool, "condor_q", "-allusers", "-af", "ClusterId").split("\n").filter(Boolean);
  return {
    name: "htcondor",
    // No disk is filled: what is mounted after the pool has started, jobs do not see.
    ...roundsOn(pool, hasClock),
    site: (storage) => ({
      backend: "htcondor",
      host: "condor",
      sshConfig: pool.sshConfig,
      storage,
      python: "/usr/bin/python3",
      htcondor: QUICK,
    }),
    daemons: ["sbin/condor_schedd", "sbin/condor_shadow", "sbin/condor_starter", "sbin/condor_negotiator"],
    /** Its master starts it again. */
    async killDaemon(name) {
      killProgram(pool, name);
      await until("the queue", () => queued() !== undefined);
    },
    cut: () => killProgram(pool, "lib/openssh/sshd-session"),
    queued,
    close: () => stopCondor(pool),
  };
}
