"""Fits a line by gradient descent: fit.py POINTS MODEL STEPS RATE."""

import json
import os
import sys


def log(**line):
    path = os.environ.get("WF_METRICS")
    if path:
        with open(path, "a") as file:
            file.write(json.dumps(line) + "\n")


points = [tuple(map(float, line.split(","))) for line in open(sys.argv[1])]
slope = intercept = 0.0
for step in range(1, int(sys.argv[3]) + 1):
    errors = [slope * x + intercept - y for x, y in points]
    slope -= float(sys.argv[4]) * 2 * sum(error * x for error, (x, _) in zip(errors, points)) / len(points)
    intercept -= float(sys.argv[4]) * 2 * sum(errors) / len(points)
    log(step=step, loss=sum(error**2 for error in errors) / len(points), slope=slope)
    if step % 25 == 0:
        dots = "".join(f'<circle cx="{100 * x}" cy="{100 - 30 * y}" r="1"/>' for x, y in points)
        ends = f'y1="{100 - 30 * intercept}" x2="100" y2="{100 - 30 * (slope + intercept)}"'
        with open(f"line-{step}.svg", "w") as file:
            file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{dots}<line x1="0" {ends} stroke="red"/></svg>')
        log(image="line", path=f"line-{step}.svg", step=step)
log(summary={"points": len(points), "model": {"slope": slope, "intercept": intercept}})
with open(sys.argv[2], "w") as file:
    json.dump({"slope": slope, "intercept": intercept}, file)
