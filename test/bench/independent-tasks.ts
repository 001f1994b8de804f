/** `n` tasks that run `true`, each its own because of its parameter. */
export const INDEPENDENT_TASKS = `
import { each, task, workflow, z } from "wf";

const nothing = task({ name: "nothing", params: z.object({ i: z.number() }), command: () => ["true"] });

export default workflow({
  name: "independent",
  params: z.object({ n: z.number() }),
  build({ params }) {
    each(Array.from({ length: params.n }, (_, i) => i)).map((i) => nothing({}, { i }));
    return {};
  },
});
`;
