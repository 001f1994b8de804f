"""table ROWS MOST TEXT…: a dataset of texts and how many letters their first line has."""
import json
import os
import shutil
import sys

from count import letters_of

rows, most, *texts = sys.argv[1:]
os.makedirs(rows + "/text", exist_ok=True)
counts = []
with open(rows + "/rows.jsonl", "w") as table:
    for index, text in enumerate(texts):
        shutil.copyfile(text, "%s/text/%d.txt" % (rows, index))
        counts.append(letters_of(text))
        table.write(json.dumps({"text": "text/%d.txt" % index, "letters": counts[-1]}) + "\n")
with open(most, "w") as file:
    json.dump(max(counts), file)
print("wf-metrics " + json.dumps({"rows": len(texts)}))
