import { file, task, workflow } from "wf";

const boom = task({
  name: "boom",
  outputs: { text: file("txt") },
  command: () => ["sh", "-c", "echo no such luck >&2; exit 3"],
});

export default workflow({ name: "failing", build: () => ({ text: boom({}).text }) });
