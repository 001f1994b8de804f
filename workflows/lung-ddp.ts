/**
 * One U-Net, trained by several processes at once: each works on its share of every batch, and all take the same step.
 * On this machine, two processes: `wf run lung-ddp.ts -p processes=2`.
 * On two nodes of a cluster: `wf run lung-ddp.ts --site cluster -p nodes=2`. The loss is the same, digit by digit.
 */
import { asModel, directory, optional, workflow, z } from "wf";
import { generate, ingest, preprocess, split, train } from "./lung-seg/tasks.ts";

export default workflow({
  name: "lung-ddp",
  inputs: { xrays: optional(directory()) },
  params: z.object({
    /** Machines, and processes on each of them. A site of one machine starts all of them there. */
    nodes: z.number().int().min(1).default(1),
    processes: z.number().int().min(1).default(1),
    /** How many patients are made up where no X-rays are given; each has one to three images. */
    patients: z.number().int().min(6).default(60),
    size: z.number().int().multipleOf(8).min(32).default(64),
    epochs: z.number().int().min(1).default(4),
    lr: z.number().positive().default(3e-3),
    /** Images of a batch, which the processes share. */
    batch: z.number().int().min(1).default(16),
    seed: z.number().int().default(4),
    /** Of each process. */
    threads: z.number().int().min(1).default(1),
  }),
  build({ params, inputs }) {
    const { nodes, processes, size, epochs, lr, batch, seed, threads } = params;
    const xrays = inputs.xrays
      ? ingest({ folder: inputs.xrays }).xrays
      : generate({}, { patients: params.patients, seed }).xrays;
    const parts = split({ xrays }, { ratios: [0.7, 0.2, 0.1], seed });
    const trained = train(
      {
        train: preprocess({ xrays: parts.train }, { size }, { as: "preprocess-train" }).xrays,
        val: preprocess({ xrays: parts.val }, { size }, { as: "preprocess-val" }).xrays,
      },
      { epochs, horizon: epochs, lr, batch, seed, threads },
      { resources: { nodes, processes, cpus: threads, memory: "1GB", time: "6h" } },
    );
    const { loss, val_loss, dice } = trained.metrics;
    return { model: asModel("lung-unet", trained.model, { dice }), summary: trained.summary, loss, val_loss, dice };
  },
});
