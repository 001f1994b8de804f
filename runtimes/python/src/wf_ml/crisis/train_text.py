"""Trains a bidirectional LSTM on tokens, with word vectors to begin with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Optional, Sequence

import torch

from wf_ml import command, rows
from wf_ml.crisis.embedding import read_glove
from wf_ml.crisis.labels import classes_of
from wf_ml.crisis.vocabulary import FIRST, encoded, initial_weights, vocabulary_of
from wf_ml.log import log
from wf_ml.models.bilstm import BiLstm
from wf_ml.models.saved import Saved, save_model
from wf_ml.seeds import prepare_torch
from wf_ml.training.classification import Classification, class_numbers
from wf_ml.training.loop import Trained, fit
from wf_ml.training.settings import Settings


def train_text(
    train: Path,
    val: Path,
    glove: Path,
    out: Path,
    settings: Settings,
    hidden: int,
    length: int,
    start: Optional[Path] = None,
    checkpoint: Optional[Path] = None,
) -> Trained:
    given = rows.read_rows(train, values=["tokens", "label"])
    held = rows.read_rows(val, values=["tokens", "label"])
    classes = classes_of(given, held, train, val)
    vocabulary = vocabulary_of([row["tokens"] for row in given])
    vectors, dimensions = read_glove(glove, vocabulary)
    build = {"vocabulary": len(vocabulary) + FIRST, "classes": len(classes), "embedding": dimensions, "hidden": hidden}
    model = BiLstm(**build, dropout=0.3)
    with torch.no_grad():
        model.embedding.weight.copy_(initial_weights(vocabulary, vectors, dimensions, settings.seed))
    data, check = (
        (
            encoded([row["tokens"] for row in part], vocabulary, length),
            class_numbers([row["label"] for row in part], classes),
        )
        for part in (given, held)
    )
    objective = Classification(len(classes), watch="likelihood")
    trained = fit(model, objective, data, check, settings, {"bilstm": build}, start, checkpoint)
    about = {
        "classes": classes,
        "vocabulary": vocabulary,
        "length": length,
        "known_words": len(vectors),
        "history": trained.history,
        "best_epoch": trained.best_epoch,
        "settings": settings.identity(),
        "examples": len(given),
    }
    save_model(out, Saved("bilstm", build, model.state_dict(), about))
    log(**{name: trained.best[name] for name in ("accuracy", "macro_accuracy", "likelihood")})
    return trained


def main(argv: Optional[Sequence[str]] = None) -> None:
    parser = command.parser(__doc__ or "")
    parser.add_argument("--train", type=Path, required=True, help="a dataset: tokens, label")
    parser.add_argument("--val", type=Path, required=True, help="a dataset: tokens, label")
    parser.add_argument("--glove", type=Path, required=True, help="word vectors in GloVe's text format")
    parser.add_argument("--out", type=Path, required=True, help="the model")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--horizon", type=int, help="epochs over which the learning rate falls; default: --epochs")
    parser.add_argument("--lr", type=float, default=4e-3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--hidden", type=int, default=32, help="states in each direction")
    parser.add_argument("--length", type=int, default=40, help="tokens that are read of a tweet")
    parser.add_argument("--patience", type=int, help="epochs without a better score; default: no end before the last")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--checkpoint", type=Path, help="written after every epoch")
    parser.add_argument("--start", type=command.optional_path, help="a checkpoint to go on from")
    given = parser.parse_args(argv)
    prepare_torch(given.seed, given.threads)
    settings = Settings(
        epochs=given.epochs,
        lr=given.lr,
        batch=given.batch,
        weight_decay=1e-4,
        seed=given.seed,
        patience=given.patience,
        horizon=given.horizon or given.epochs,
    )
    trained = train_text(
        given.train,
        given.val,
        given.glove,
        given.out,
        settings,
        given.hidden,
        given.length,
        given.start,
        given.checkpoint,
    )
    print(json.dumps({"best_epoch": trained.best_epoch, **trained.best}))


if __name__ == "__main__":
    command.run(main)
