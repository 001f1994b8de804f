"""The page and its parts. Every text is escaped here, so that a file's name can hold anything."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import List, Mapping, Optional, Sequence, Tuple

import numpy as np

from wf_ml.plots.inline import data_uri

Shot = Tuple[str, np.ndarray]
"""A word below a picture, and its pixels."""


@dataclass(frozen=True)
class Number:
    """A number that one looks for first, and what it means."""

    name: str
    value: str
    note: str = ""


def numbers(items: Sequence[Number]) -> str:
    cells = (
        f"<li><small>{escape(item.name)}</small><b>{escape(item.value)}</b><small>{escape(item.note)}</small></li>"
        for item in items
    )
    return f'<ul class="numbers">{"".join(cells)}</ul>'


def figures(items: Sequence[Tuple[str, str]]) -> str:
    """Each is an SVG and its caption."""
    parts = (f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>" for svg, caption in items)
    return f'<div class="figures">{"".join(parts)}</div>'


def gallery(items: Sequence[Tuple[Sequence[Shot], str]]) -> str:
    """Each is some pictures side by side, such as prediction and truth, and a line below them."""
    parts: List[str] = []
    for shots, words in items:
        shown = "".join(
            f'<div><img src="{data_uri(pixels)}" alt="{escape(name, quote=True)}">{escape(name)}</div>'
            for name, pixels in shots
        )
        parts.append(f'<li><div class="shots">{shown}</div><p>{escape(words)}</p></li>')
    return f'<ul class="gallery">{"".join(parts)}</ul>'


def table(rows: Sequence[Sequence[str]], head: Optional[Sequence[str]] = None) -> str:
    """The first column names the row."""
    top = "" if head is None else f"<thead><tr>{''.join(f'<th>{escape(h)}</th>' for h in head)}</tr></thead>"
    body = "".join(
        f"<tr><th>{escape(row[0])}</th>{''.join(f'<td class=value>{escape(cell)}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    return f'<div class="wide"><table>{top}<tbody>{body}</tbody></table></div>'


def parameters(values: Mapping[str, object]) -> str:
    return table([(name, _shown(value)) for name, value in values.items()])


def paragraph(words: str) -> str:
    return f"<p>{escape(words)}</p>"


def page(title: str, lead: str, sections: Sequence[Tuple[str, Sequence[str]]]) -> str:
    """`sections` have a heading, which may be empty, and parts made by the functions above."""
    style = resources.files("wf_ml.report").joinpath("page.css").read_text("utf-8")
    body = "".join((f"<h2>{escape(heading)}</h2>" if heading else "") + "".join(parts) for heading, parts in sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f'<body><h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p>{body}</body></html>\n'
    )


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
