import { each, file, task, workflow, z } from "wf";

const nap = task({
  name: "nap",
  params: z.object({ i: z.number(), seconds: z.number() }),
  outputs: { text: file("txt") },
  command: ({ outputs, params }) => [
    "sh",
    "-c",
    'echo "nap $1"; sleep "$2"; echo "$1" > "$3"',
    "sh",
    params.i,
    params.seconds,
    outputs.text,
  ],
});

export default workflow({
  name: "naps",
  params: z.object({ seconds: z.number().default(2) }),
  build: ({ params }) => ({ texts: each([1, 2, 3]).map((i) => nap({}, { i, seconds: params.seconds })).text }),
});
