import { file, task, workflow, z } from "wf";

// Each process sums every WF_WORLD_SIZE-th number. The first one waits for what the others have found.
const SCRIPT = `
i=$WF_RANK; sum=0
while [ "$i" -le "$1" ]; do sum=$((sum + i)); i=$((i + WF_WORLD_SIZE)); done
echo "$sum" > "part.$WF_RANK.new" && mv "part.$WF_RANK.new" "part.$WF_RANK"
[ "$WF_RANK" = 0 ] || exit 0
until [ "$(ls part.? | wc -l)" = "$WF_WORLD_SIZE" ]; do sleep 0.1; done
cat part.? | paste -sd+ > "$2"
rm part.?
`;

const sum = task({
  name: "sum",
  outputs: { parts: file("txt") },
  params: z.object({ last: z.number() }),
  resources: { nodes: 2, processes: 2, cpus: 1, memory: "50MB" },
  command: ({ outputs, params }) => ["sh", "-c", SCRIPT, "sh", params.last, outputs.parts],
});

export default workflow({
  name: "ranks",
  build: () => ({ parts: sum({}, { last: 1000 }).parts }),
});
