"""JSON in and out, and the numbers that a step reports about itself."""

import json
import os


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def report(**numbers):
    """One line for wf, which keeps it as this task's metrics; nothing where the step is run by hand."""
    path = os.environ.get("WF_METRICS")
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(numbers) + "\n")
