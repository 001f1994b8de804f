"""The machine-learning steps of wf's own workflows, each a command: ``python3 -m wf_ml.lung.train --help``."""

import os

# Read when numpy loads its BLAS, so it has to be said before. A pool of BLAS threads under each of torch's own
# threads is slower, and its size would change the numbers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
