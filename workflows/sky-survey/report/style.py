"""How the page looks: dark for a screen, light for paper."""

_SHARED = """
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 72rem; padding: 3rem 1.5rem; font: 16px/1.5 system-ui, sans-serif;
  background: var(--paper); color: var(--ink) }
h1 { font-size: 2.4rem; font-weight: 650; letter-spacing: -0.02em; margin: 0 }
h2 { font-size: 1.25rem; margin: 3rem 0 0.25rem }
p { color: var(--soft); max-width: 44rem; margin: 0.25rem 0 1rem }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; margin-top: 2rem }
.figures div { border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; color: var(--soft) }
.figures b { display: block; font-size: 2rem; font-weight: 650; color: var(--ink) }
.mosaic { width: 100%; border-radius: 10px; display: block }
i.star, i.galaxy { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 50%; border: 2px solid;
  vertical-align: -0.05em }
i.star { border-color: var(--star) } i.galaxy { border-color: var(--galaxy); margin-left: 0.6em }
figcaption i.galaxy { margin-left: 0 }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(10.5rem, 1fr)); gap: 1rem }
figure { margin: 0; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; font-size: 0.85rem;
  color: var(--soft) }
figure img { width: 100%; display: block; image-rendering: pixelated }
figcaption { padding: 0.6rem 0.8rem } figcaption b { color: var(--ink) }
svg { display: block; max-width: 100% } svg text { font: 11px system-ui, sans-serif; fill: var(--soft) }
.grid { stroke: var(--line) } .tick { text-anchor: end } .step { text-anchor: middle }
.line { fill: none; stroke-width: 2 } .half { stroke: var(--line); stroke-dasharray: 3 3 }
.line.completeness, .line.growth { stroke: var(--star) } circle.completeness { fill: var(--star) }
.line.purity { stroke: var(--galaxy) } circle.purity { fill: var(--galaxy) }
svg text.name { font-weight: 600; font-size: 12px } svg text.completeness { fill: var(--star) }
svg text.purity { fill: var(--galaxy) }
"""

_NIGHT = "--paper: #05060d; --ink: #f2f3f8; --soft: #9aa1b5; --line: #23273a; --star: #5cc8ff; --galaxy: #ffb042"
_PRINT = "--paper: #fff; --ink: #14161c; --soft: #5b6272; --line: #dcdfe6; --star: #0068be; --galaxy: #cd5400"

STYLES = {name: ":root { " + colours + " }" + _SHARED for name, colours in (("night", _NIGHT), ("print", _PRINT))}
