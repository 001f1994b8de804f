"""Where the numbers of a page come from."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from pathlib import Path
from typing import Dict, Iterable

import numpy as np
import PIL

from wf_ml.report.page import parameters


def fingerprint(files: Iterable[Path]) -> str:
    """Twelve digits that change when the content or the order of the files does."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def provenance(facts: Dict[str, object]) -> str:
    """A table of `facts`, of the run and task that made the page, and of the programs that were used."""
    torch = sys.modules.get("torch")
    used = {
        "run": os.environ.get("WF_RUN", "none: started by hand"),
        "task": os.environ.get("WF_ATTEMPT", "none: started by hand"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "pillow": PIL.__version__,
        **({"torch": torch.__version__} if torch is not None else {}),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    return parameters({**facts, **used})
