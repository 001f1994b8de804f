"""The page: what was found, how well, the picture of all tiles, and the brightest sources one by one."""

import math

from charts import growth_chart, rounds_chart
from style import STYLES

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sky survey</title>
<style>{style}</style>
<header>
  <h1>Sky survey</h1>
  <p>{sources} sources in the catalogue, the {bright} brightest of them measured one by one. The sky is made up, so
  every number here is held against the list of what was put into it.</p>
</header>
<section class="figures">{figures}</section>
<section>
  <h2>How deep to look</h2>
  <p>Each round lowers the level above which something counts as a source, until enough of what is there is found.
  The last point is the catalogue as it is published: without cosmic rays, if the last round had let too many in.</p>
  {rounds}
</section>
<section>
  <h2>The sky</h2>
  <p><i class="star"></i> star <i class="galaxy"></i> galaxy; numbers are those of the pictures below. Plain squares are
  tiles that clouds took.</p>
  <img class="mosaic" alt="All tiles with their sources marked" src="{mosaic}">
</section>
<section>
  <h2>The brightest</h2>
  <div class="cards">{cards}</div>
</section>
</html>
"""

_CARD = """<figure>
  <img alt="Source {number}" src="{stamp}">
  <figcaption><b>{number}</b> <i class="{kind}"></i> {kind} in {tile}<br>magnitude {magnitude:.2f}<br>
  half of its light within {half:.1f} px{growth}</figcaption>
</figure>"""


def page(style, mosaic, rounds, measured):
    last = rounds[-1]
    figures = [
        ("{:.1%}".format(last["completeness"]), "of the sources found"),
        ("{:.1%}".format(last["purity"]), "of the catalogue real"),
        ("{:.1%}".format(last["typed"]), "rightly called star or galaxy"),
        ("{:.1f}".format(last["level"]), "counts: the level of the last round"),
    ]
    return _PAGE.format(
        style=STYLES[style],
        sources="{:,}".format(last["sources"]),
        bright=len(measured),
        figures="".join("<div><b>{}</b>{}</div>".format(*figure) for figure in figures),
        rounds=rounds_chart(rounds),
        mosaic=mosaic,
        cards="".join(_card(number, *pair) for number, pair in enumerate(measured, 1)),
    )


def _card(number, profile, stamp):
    return _CARD.format(
        number=number,
        stamp=stamp,
        kind=profile["source"]["kind"],
        tile=profile["source"]["tile"],
        magnitude=25 - 2.5 * math.log10(max(profile["flux"], 1e-3)),
        half=profile["halfLight"],
        growth=growth_chart(profile),
    )
