/** A task of several processes that takes longer than it may. */

/**
 * Every rank counts for itself, one step every tenth of a second, and keeps its count in the folder that all of them see.
 * Told that the time is nearly up, each writes it down, and all leave together.
 */
export const COUNT_TOGETHER = `
import os, signal, sys, time
goal, folder, ledger = int(sys.argv[1]), sys.argv[2], sys.argv[3]
rank, world = int(os.environ["WF_RANK"]), int(os.environ["WF_WORLD_SIZE"])
state = "%s/%d" % (folder, rank)
count = int(open(state).read()) if os.path.exists(state) else 0
told = []
signal.signal(signal.SIGUSR2, lambda *_: told.append(True))

def keep():
    open("tmp/count-%d" % rank, "w").write(str(count))
    os.replace("tmp/count-%d" % rank, state)

def all_say(word):
    open("tmp/%s-%d" % (word, rank), "w").close()
    while not all(os.path.exists("tmp/%s-%d" % (word, other)) for other in range(world)):
        time.sleep(0.02)

os.makedirs("tmp", exist_ok=True)
all_say("here")
with open(ledger, "a") as file:
    file.write("%s %d begins at %d\\n" % (os.environ["WF_ATTEMPT"], rank, count))
while count < goal:
    time.sleep(0.1)
    count += 1
    if told:
        keep()
        all_say("kept")
        sys.exit(75)
keep()
`;

export const COUNTING_FLOW = `
import { directory, task, workflow, z } from "wf";
const count = task({
  name: "count",
  outputs: { counts: directory() },
  params: z.object({ goal: z.number(), ledger: z.string() }),
  code: { script: "./count.py" },
  resources: { nodes: 2, processes: 2, time: "6s" },
  resumable: { checkpoint: "counts", warn: "4s" },
  command: ({ code, params, outputs }) => ["python3", code.script, params.goal, outputs.counts, params.ledger],
});
export default workflow({
  name: "flow",
  params: z.object({ goal: z.number(), ledger: z.string() }),
  build: ({ params }) => ({ counts: count({}, params).counts }),
});
`;
