"""`python3 -m report PAGE STYLE MOSAIC HISTORY profiles FILE… stamps FILE…` writes one page that holds everything."""

import base64
import json
import sys

from page import page


def main(target, style, mosaic, history, *files):
    middle = files.index("stamps")
    profiles = [_json(path) for path in files[1:middle]]
    stamps = [_data_url(path) for path in files[middle + 1 :]]
    with open(target, "w", encoding="utf-8") as file:
        file.write(page(style, _data_url(mosaic), _json(history)["rounds"], list(zip(profiles, stamps))))


def _json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _data_url(path):
    with open(path, "rb") as file:
        return "data:image/png;base64," + base64.b64encode(file.read()).decode("ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
