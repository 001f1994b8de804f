"""Charts as SVG text. Colours come from the page that they stand in, with a fallback for an SVG on its own."""
