"""Where a line expects points to lie: predict.py MODEL POINTS PREDICTED."""

import json
import sys

model = json.load(open(sys.argv[1]))
with open(sys.argv[3], "w") as file:
    for line in open(sys.argv[2]):
        x = float(line.split(",")[0])
        file.write(f"{x},{model['slope'] * x + model['intercept']:.4f}\n")
