import xml.etree.ElementTree as xml

import numpy as np
import pytest

from wf_ml.plots.curves import curves
from wf_ml.plots.distributions import boxes, histogram
from wf_ml.plots.inline import data_uri, with_outline
from wf_ml.plots.matrix import confusion
from wf_ml.plots.sheet import contact_sheet
from wf_ml.plots.svg import ticks
from wf_ml.report.page import Number, gallery, numbers, page, parameters, table
from wf_ml.report.provenance import provenance

NAN = float("nan")


@pytest.mark.parametrize(
    "svg",
    [
        curves("a & b", {"<loss>": [1.0, 0.5, NAN, 0.2], "val": [0.9]}, marked=2),
        curves("one point", {"loss": [0.5]}),
        curves("nothing", {}),
        boxes("scores", {"U-Net": [0.9, 0.95, NAN], "none": []}, "Dice"),
        boxes("all the same", {"a": [0.5, 0.5]}, "x"),
        histogram("areas", [1.0, 2.0, 2.5], "pixels"),
        confusion("classes", np.array([[5, 1], [0, 0]]), ["a<b", "c"]),
    ],
)
def test_charts_are_well_formed_and_have_no_wild_numbers(svg: str) -> None:
    xml.fromstring(svg)
    assert "nan" not in svg and "inf" not in svg


def test_ticks_are_round_and_within() -> None:
    assert ticks(0.0, 1.0) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert all(3 <= v <= 97 for v in ticks(3, 97)) and len(ticks(3, 97)) >= 3
    assert ticks(2.0, 2.0) == [2.0]


def test_an_outline_is_the_border_of_the_mask() -> None:
    mask = np.zeros((7, 7), bool)
    mask[2:5, 2:5] = True
    drawn = with_outline(np.zeros((7, 7), np.uint8), mask, (255, 0, 0))
    red = drawn[:, :, 0] == 255
    assert red.sum() == 8 and not red[3, 3]
    assert data_uri(drawn).startswith("data:image/png;base64,")


def test_a_page_stands_alone_and_escapes_every_text() -> None:
    evil = "<script>alert('x')</script>"
    shots = [([(evil, np.zeros((4, 4), np.uint8))], evil)]
    parts = [numbers([Number(evil, evil, evil)]), gallery(shots), table([[evil, evil]], [evil, evil])]
    html = page(evil, evil, [(evil, [*parts, parameters({evil: evil}), provenance({evil: 1.5})])])
    assert "<script" not in html and "&lt;script" in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-color-scheme: dark" in html


def test_a_contact_sheet_shows_every_picture_in_its_place() -> None:
    sheet = contact_sheet([[np.full((8, 6), 255, np.uint8), np.zeros((8, 6), np.uint8)], [np.ones((8, 6), bool)]])
    assert sheet.shape == (28, 24)
    assert (sheet[4:12, 4:10] == 255).all() and (sheet[4:12, 14:20] == 0).all() and (sheet[16:24, 4:10] == 255).all()
    assert (sheet[16:24, 14:20] == 250).all()
