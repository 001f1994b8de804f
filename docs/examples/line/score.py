"""How well a line fits points that it has not seen: score.py MODEL POINTS."""

import json
import sys

model = json.load(open(sys.argv[1]))
points = [tuple(map(float, line.split(","))) for line in open(sys.argv[2])]
error = sum((model["slope"] * x + model["intercept"] - y) ** 2 for x, y in points) / len(points)
mean = sum(y for _, y in points) / len(points)
spread = sum((y - mean) ** 2 for _, y in points) / len(points)
print(f"{len(points)} points")
print("wf-metrics", json.dumps({"error": error, "r2": 1 - error / spread}))
