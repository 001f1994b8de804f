"""How every step is started: arguments in, exit status out, and no traceback for what a person can put right."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable, NoReturn, Optional, Sequence

from wf_ml.errors import DataError, Unfinished

BAD_DATA = 2
UNFINISHED = 75


def parser(description: str) -> argparse.ArgumentParser:
    """An argument parser that shows defaults and takes no abbreviated options."""
    return argparse.ArgumentParser(
        description=description, allow_abbrev=False, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )


def optional_path(text: str) -> Optional[Path]:
    """An argument such as ``--start=``, which an absent input leaves empty."""
    return Path(text) if text else None


def run(main: Callable[[Optional[Sequence[str]]], None], argv: Optional[Sequence[str]] = None) -> NoReturn:
    """Runs a step. Bad data ends it with status 2, and says on stderr what is wrong, where, and what to do; a training
    whose time was up, and which can go on from its checkpoint, with 75."""
    try:
        main(argv)
    except Unfinished as pause:
        print(pause, file=sys.stderr)
        sys.exit(UNFINISHED)
    except DataError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(BAD_DATA)
    sys.exit(0)
