export type { Adoption, Backend, BackendEvent, Capabilities } from "./backend.ts";
export { JobSpec, TaskSpec } from "./job-spec.ts";
