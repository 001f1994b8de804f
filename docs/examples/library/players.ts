import { openStore, plan, run } from "wf/run";

const FLOW = "docs/examples/first.ts";
const darts = 1000;

// What would run? Nothing is started.
for await (const line of plan(FLOW, { params: { players: 4, darts } })) {
  if (line.type === "totals") console.log(`${line.tasks} tasks, ${line.reuse} of them known`);
}

for (const players of [2, 4]) {
  const going = run(FLOW, { params: { players, darts }, signal: AbortSignal.timeout(600_000) });
  let reused = 0;
  for await (const event of going) {
    if (event.type === "task.ended" && event.state === "cached") reused += 1;
  }
  const { run: name, status, outputs } = await going.result;
  console.log(`${players} players: ${status}, ${reused} results reused, pi is a ${typeof outputs.pi?.value}`);

  const store = openStore({ project: "docs/examples" });
  console.log(store.trace(name).stages.map(({ stage, done }) => `${stage}: ${done} done`));
  store.close();
}
