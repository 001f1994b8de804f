"""Where all randomness comes from. A stream depends on the seed and on its name, never on who drew before."""

from __future__ import annotations

import hashlib
import os

import numpy as np


def derive(seed: int, *names: object) -> int:
    """A 63-bit seed of its own for each name: ``derive(4, "image", 17)``."""
    text = repr((int(seed), *map(str, names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def rng(seed: int, *names: object) -> np.random.Generator:
    """A stream of random numbers for each name."""
    return np.random.Generator(np.random.PCG64(derive(seed, *names)))


def prepare_torch(seed: int, threads: int) -> None:
    """Same seed and threads, same numbers. The number of threads changes the order of sums, hence it is asked for."""
    import torch

    os.environ["OMP_NUM_THREADS"] = str(threads)
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.manual_seed(derive(seed, "torch"))
