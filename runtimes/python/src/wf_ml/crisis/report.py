"""The page about two models and their fusion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Sequence, Tuple

import numpy as np

from wf_ml import atomic
from wf_ml.images import read_rgb
from wf_ml.plots.curves import curves
from wf_ml.plots.matrix import confusion
from wf_ml.report.page import Number, Shot, figures, gallery, numbers, page, paragraph, parameters, table
from wf_ml.report.provenance import fingerprint, provenance
from wf_ml.report.study import study_table

if TYPE_CHECKING:
    from wf_ml.crisis.evaluate import Outcome

EXAMPLES = 12
NAMES = {"text": "text alone", "image": "image alone", "fusion": "late fusion"}


def write_report(path: Path, outcome: "Outcome", studies: Mapping[str, Any]) -> None:
    scores = outcome.scores()
    classes = outcome.fusion.classes
    shown = numbers(
        [
            Number("late fusion", f"{scores['fusion_accuracy']:.3f}", "accuracy: share of tweets that it got right"),
            Number("text alone", f"{scores['text_accuracy']:.3f}", "a bidirectional LSTM on the words"),
            Number("image alone", f"{scores['image_accuracy']:.3f}", "a residual network on the picture"),
            Number("tweets", str(len(outcome.tweets)), "held out, seen by nobody before"),
        ]
    )
    matrices = [
        (confusion(words, outcome.matrix(name), classes), f"{words.capitalize()}.") for name, words in NAMES.items()
    ]
    scored = [
        (words, *(f"{scores[f'{name}_{what}']:.3f}" for what in ("accuracy", "macro_f1")))
        for name, words in NAMES.items()
    ]
    sections: List[Tuple[str, Sequence[str]]] = [
        ("", [shown]),
        ("What was taken for what", [figures(matrices), table(scored, ["model", "accuracy", "macro F1"])]),
        ("Put right by looking at both", [_put_right(outcome)]),
        ("Still wrong", [_wrong(outcome)]),
        ("Training", [figures([figure for name in outcome.models for figure in _training(outcome, name)])]),
        ("Search", _searches(studies)),
        (
            "The fusion",
            [
                paragraph("The logarithms of the two models' probabilities, weighted, learned on validation tweets."),
                parameters(
                    {
                        "weight of the text": outcome.fusion.text_weight,
                        "weight of the image": outcome.fusion.image_weight,
                        **{f"in favour of {label}": bias for label, bias in zip(classes, outcome.fusion.bias)},
                    }
                ),
            ],
        ),
        (
            "Settings",
            [
                parameters({f"{name}: {key}": value for key, value in model.about["settings"].items()})
                for name, model in outcome.models.items()
            ],
        ),
        ("Where this comes from", [provenance({"test pictures": fingerprint(t["image"] for t in outcome.tweets)})]),
    ]
    lead = (
        "Which tweets are of use to helpers: what the words tell, what the picture tells, and what both tell together."
    )
    atomic.write_bytes(path, page("Crisis tweets", lead, sections).encode("utf-8"))


def _searches(studies: Mapping[str, Any]) -> List[str]:
    if not studies:
        return [paragraph("None: the settings were given.")]
    return [
        study_table(study, f"The {name} model, in short trainings.", "likelihood") for name, study in studies.items()
    ]


def _training(outcome: "Outcome", name: str) -> List[Tuple[str, str]]:
    about = outcome.models[name].about
    history, best = about["history"], float(about["best_epoch"])
    losses = {"training": [e["loss"] for e in history], "validation": [e["val_loss"] for e in history]}
    words = (
        f"{name.capitalize()} model: loss on {about['examples']} tweets, and on validation; the kept epoch is marked."
    )
    return [(curves(f"loss of the {name} model", losses, y_label="cross-entropy", marked=best), words)]


def _put_right(outcome: "Outcome") -> str:
    text, image, fusion = (outcome.made[name] for name in ("text", "image", "fusion"))
    truth = fusion.truth
    gained = (fusion.predicted == truth) & ((text.predicted != truth) | (image.predicted != truth))
    lost = (fusion.predicted != truth) & ((text.predicted == truth) | (image.predicted == truth))
    words = f"{int(gained.sum())} tweets that a model alone got wrong are right together; {int(lost.sum())} vice versa."
    return paragraph(words) + _gallery(
        outcome, np.flatnonzero(gained), lambda at: -float(fusion.probabilities[at].max())
    )


def _wrong(outcome: "Outcome") -> str:
    fusion = outcome.made["fusion"]
    wrong = np.flatnonzero(fusion.predicted != fusion.truth)
    if wrong.size == 0:
        return paragraph("None.")
    words = f"{wrong.size} of {len(outcome.tweets)}; those that it was surest of come first."
    return paragraph(words) + _gallery(outcome, wrong, lambda at: -float(fusion.probabilities[at].max()))


def _gallery(outcome: "Outcome", chosen: np.ndarray, rank: Callable[[int], float]) -> str:
    first = sorted((int(at) for at in chosen), key=lambda at: (rank(at), at))[:EXAMPLES]
    return gallery([_example(outcome, at) for at in first])


def _example(outcome: "Outcome", at: int) -> Tuple[Sequence[Shot], str]:
    tweet, classes = outcome.tweets[at], outcome.fusion.classes
    true = classes.index(tweet["label"])
    shares = ", ".join(f"{name} {one.probabilities[at][true]:.0%}" for name, one in outcome.made.items())
    return [
        (tweet["id"], read_rgb(tweet["image"]))
    ], f"“{tweet['text']}” Is {tweet['label']}; chance given to that: {shares}."
