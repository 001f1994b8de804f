import { type BenchProject, makeProject } from "../measured-run.ts";

const NAPS = `
import { each, task, workflow, z } from "wf";

const nap = task({
  name: "nap",
  params: z.object({ i: z.number(), seconds: z.number() }),
  command: ({ params }) => ["sleep", params.seconds],
});

export default workflow({
  name: "naps",
  params: z.object({ n: z.number(), seconds: z.number() }),
  build({ params }) {
    each(Array.from({ length: params.n }, (_, i) => i)).map((i) => nap({}, { i, seconds: params.seconds }));
    return {};
  },
});
`;

/** Tasks that sleep, on a site that is described as in sites.yaml. */
export function napsAt(site: string): BenchProject {
  return makeProject(NAPS, `sites:\n  cluster: ${site}\n`);
}

export async function napping(project: BenchProject, count: number, nap: number, ...args: readonly string[]) {
  return await project.wf("run", "--site", "cluster", "-p", `n=${count}`, "-p", `seconds=${nap}`, ...args);
}
