import { file, task, workflow } from "wf";

const predict = task({
  name: "predict",
  inputs: { model: file("json"), points: file("csv") },
  outputs: { predicted: file("csv") },
  code: { script: "./line/predict.py" },
  command: ({ code, inputs, outputs }) => ["python3", code.script, inputs.model, inputs.points, outputs.predicted],
});

export default workflow({
  name: "line-predict",
  inputs: {
    model: file("json", { model: "line", lowest: "error" }),
    points: file("csv", { path: "data/points.csv" }),
  },
  build: ({ inputs }) => ({ predicted: predict(inputs).predicted }),
});
