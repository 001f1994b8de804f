"""The machine-learning steps of wf's own workflows, each a command: ``python3 -m wf_ml.lung.train --help``."""

import os

# Both are read when a library is loaded, so they have to be said before numpy and torch are imported.
# A pool of BLAS threads under each of torch's own threads is slower, and its size would change the numbers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Threads that wait for each other by spinning make a training ten times slower when a core is shared.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
