import { file, task, workflow, z } from "wf";

// A training that counts, in shell: it goes on from its checkpoint where one is there.
const SCRIPT = `
state=$1; goal=$2; n=0
[ -e "$state" ] && n=$(cat "$state")
leave() { echo "$n" > "$state.new" && mv "$state.new" "$state"; exit 75; }
trap leave USR2
while [ "$n" -lt "$goal" ]; do sleep 0.1; n=$((n + 1)); done
echo "$n" > "$state"
`;

const train = task({
  name: "train",
  outputs: { state: file("txt") },
  params: z.object({ goal: z.number() }),
  resources: { time: "2s" },
  resumable: { checkpoint: "state", warn: "1s" },
  command: ({ outputs, params }) => ["sh", "-c", SCRIPT, "sh", outputs.state, params.goal],
});

export default workflow({
  name: "long",
  params: z.object({ goal: z.number().default(15) }),
  build: ({ params }) => ({ state: train({}, params).state }),
});
