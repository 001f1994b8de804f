"""numbers.py WHAT ARGUMENTS…: small work on files of numbers."""
import json
import os
import sys

what, *words = sys.argv[1:]


def numbers(path):
    with open(path) as file:
        return [int(line) for line in file]


def write(path, values):
    with open(path, "w") as file:
        file.writelines("%s\n" % value for value in values)


if what == "double":
    source, target, facts, total, odd = words
    values = [2 * value for value in numbers(source)]
    write(target, values)
    with open(facts, "w") as file:
        json.dump({"sum": sum(values), "name": os.path.basename(source)}, file)
    with open(total, "w") as file:
        json.dump(sum(values), file)
    if len(values) % 2:
        write(odd, values[:1])
    print("wf-metrics " + json.dumps({"lines": len(values)}))
elif what == "group":
    source, target = words
    os.makedirs(target + "/text", exist_ok=True)
    with open(target + "/rows.jsonl", "w") as rows:
        for index, value in enumerate(numbers(source)[:2]):
            write("%s/text/%d.txt" % (target, index), [value])
            rows.write(json.dumps({"text": "text/%d.txt" % index, "value": value}) + "\n")
elif what == "total":
    target, report, lines, total, name, rows, table, *texts = words
    if os.path.exists(os.environ.get("BROKEN_WHILE", "")):
        sys.exit("broken on purpose")
    listed = [json.loads(line) for line in open(rows + "/rows.jsonl")]
    with open(target, "w") as file:
        for row in listed + [json.loads(line) for line in open(table + "/rows.jsonl")]:
            file.write(json.dumps(row) + "\n")
        for text in texts:
            file.write("%s %d\n" % (os.path.basename(text), sum(numbers(text))))
    with open(report, "w") as file:
        json.dump({"lines": lines, "sum": total, "name": name, "rows": len(listed)}, file)
    print("wf-metrics " + json.dumps({"rows": len(listed)}))
