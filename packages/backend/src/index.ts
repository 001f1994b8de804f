export type { Adoption, Backend, BackendEvent, Capabilities, Capacity } from "./backend.ts";
export { JobSpec, TaskSpec } from "./job-spec.ts";
