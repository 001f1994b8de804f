"""The colours in which masks are drawn into X-rays."""

TRUTH = (70, 200, 110)
PREDICTED = (255, 90, 60)
BASELINE = (240, 190, 40)
