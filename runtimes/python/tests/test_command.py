import os
import subprocess
import sys
from pathlib import Path

import pytest

from wf_ml import command
from wf_ml.errors import DataError


def test_bad_data_end_with_status_2_the_file_and_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    def main(argv: object) -> None:
        raise DataError("the image is broken", where=Path("a b.png"), hint="remove it")

    with pytest.raises(SystemExit) as ended:
        command.run(main, [])
    assert ended.value.code == 2
    assert capsys.readouterr().err == "error: the image is broken: a b.png\n  hint: remove it\n"


def test_a_bug_keeps_its_traceback() -> None:
    def main(argv: object) -> None:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        command.run(main, [])


def test_a_real_step_says_what_is_wrong_and_nothing_else(tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "wf_ml.lung.ingest", "--folder", str(tmp_path), "--out", str(tmp_path / "out")]
    ended = subprocess.run(argv, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": _source()})
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"error: the folder has no images: {tmp_path}")
    assert "Traceback" not in ended.stderr


def _source() -> str:
    return str(Path(__file__).parent.parent / "src")
