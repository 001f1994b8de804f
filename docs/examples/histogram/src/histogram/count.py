import json
import sys
from collections import Counter

text, output = sys.argv[1:]
with open(text, encoding="utf-8") as lines:
    counts = Counter(len(line.strip()) for line in lines)
with open(output, "w", encoding="utf-8") as file:
    json.dump({str(length): counts[length] for length in sorted(counts)}, file)
