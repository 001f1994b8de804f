/** Programs that can start the processes of a distributed task in place of wf. */
export const LAUNCHES = ["torchrun", "mpirun"] as const;
export type Launch = (typeof LAUNCHES)[number];
