"""What a search has tried."""

from __future__ import annotations

from typing import Any

from wf_ml.report.page import paragraph, table


def study_table(study: Any, words: str, score: str) -> str:
    """Every trial, with the score of the furthest epoch that it reached. `score` names what was looked for."""
    names = sorted({name for trial in study["trials"] for name in trial["setting"]})
    rows = []
    for trial in study["trials"]:
        reached = trial["rungs"][-1] if trial["rungs"] else None
        settings = [_shown(trial["setting"].get(name)) for name in names]
        scored = ["", ""] if reached is None else [_shown(reached["budget"]), f"{reached['value']:.4f}"]
        rows.append([str(trial["index"] + 1), *settings, *scored, trial["state"]])
    return paragraph(f"{words} A pruned one was behind others, and given up.") + table(
        rows, ["trial", *names, "epochs", score, "state"]
    )


def _shown(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
