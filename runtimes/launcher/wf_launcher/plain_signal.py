"""The signals of Python without their enumeration, which takes longer to make than a short task."""

try:
    from _signal import *
except ImportError:
    from signal import *
