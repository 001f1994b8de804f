"""`python3 survey STEP ARGUMENTS…` runs one step of the survey; each step is a module with a `main`."""

import sys
from importlib import import_module

import_module(sys.argv[1]).main(*sys.argv[2:])
