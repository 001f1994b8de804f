"""`python -m lengths TEXT OUT LEAST` writes how long the lines of a text are, and reports their mean."""

import json
import os
import sys

from statistics import mean

source, target, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(source, encoding="utf-8") as file:
    lengths = [len(line.rstrip("\n")) for line in file]
kept = [length for length in lengths if length >= least]
with open(target, "w", encoding="utf-8") as file:
    json.dump(kept, file)
with open(os.environ["WF_METRICS"], "a", encoding="utf-8") as file:
    file.write(json.dumps({"mean": mean(kept)}) + "\n")
