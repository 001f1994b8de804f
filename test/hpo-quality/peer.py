"""Answers one JSON line with another: evaluates a setting of a problem, or lets Optuna search the same problem.

{"do": "about"}                                                 -> {"optuna": "3.1.0", "numpy": ..., "python": ...}
{"do": "evaluate", "problem": "branin", "setting": {...}}       -> {"values": [17.5]}, null where not a number
{"do": "optuna", "problem": ..., "space": {...}, "objectives": 1, "sampler": "tpe", "options": {...}, "seed": 0,
 "trials": 60}                                                  -> {"values": [[17.5], null, ...]}, null for a failure
"""

from __future__ import annotations

import json
import math
import platform
import sys
import warnings
from typing import Any, Callable, Mapping

import numpy
import optuna
import small_network
import test_functions

PROBLEMS: Mapping[str, Callable[[Mapping[str, Any]], list[float]]] = {
    "branin": test_functions.branin,
    "hartmann6": test_functions.hartmann6,
    "rosenbrock5": test_functions.rosenbrock,
    "ackley5": test_functions.ackley,
    "styblinski-tang5": test_functions.styblinski_tang,
    "conditional": test_functions.conditional,
    "network": small_network.validation_loss,
    "zdt1": test_functions.zdt1,
    "network-size": small_network.loss_and_size,
}

SAMPLERS = {"tpe": optuna.samplers.TPESampler, "nsga2": optuna.samplers.NSGAIISampler}


def main() -> None:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore")
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))), flush=True)


def _answer(request: Mapping[str, Any]) -> Mapping[str, Any]:
    if request["do"] == "about":
        return {"optuna": optuna.__version__, "numpy": numpy.__version__, "python": platform.python_version()}
    evaluate = PROBLEMS[request["problem"]]
    if request["do"] == "evaluate":
        return {"values": _finite(evaluate(request["setting"]))}
    return {"values": _search(evaluate, request)}


def _search(evaluate: Callable[[Mapping[str, Any]], list[float]], request: Mapping[str, Any]) -> list[Any]:
    sampler = SAMPLERS[request["sampler"]](seed=request["seed"], **request["options"])
    study = optuna.create_study(sampler=sampler, directions=["minimize"] * request["objectives"])
    study.optimize(lambda trial: tuple(evaluate(_suggest(trial, request["space"]))), n_trials=request["trials"])
    return [trial.values and _finite(trial.values) for trial in study.trials]


def _suggest(trial: optuna.Trial, space: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    return {name: _suggest_value(trial, parameter, path + name) for name, parameter in space.items()}


def _suggest_value(trial: optuna.Trial, parameter: Mapping[str, Any], path: str) -> Any:
    kind = parameter["kind"]
    if kind == "choice":
        return trial.suggest_categorical(path, parameter["values"])
    if kind == "one-of":
        branch = trial.suggest_categorical(path, list(parameter["branches"]))
        return {parameter["field"]: branch, **_suggest(trial, parameter["branches"][branch], f"{path}.{branch}.")}
    if kind == "integer":
        low, high, step, log = (parameter[name] for name in ("low", "high", "step", "log"))
        return trial.suggest_int(path, low, high, step=step, log=log)
    return trial.suggest_float(path, parameter["low"], parameter["high"], log=kind == "log-uniform")


def _finite(values: list[float]) -> list[float] | None:
    return values if all(math.isfinite(value) for value in values) else None


if __name__ == "__main__":
    main()
