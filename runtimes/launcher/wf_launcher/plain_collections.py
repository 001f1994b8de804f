"""Containers that are written in C, without the rest of `collections`, which takes milliseconds to import."""

try:
    from _collections import OrderedDict, deque
except ImportError:
    from collections import OrderedDict, deque
