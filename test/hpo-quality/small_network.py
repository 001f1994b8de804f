"""A real model: a small network, trained from nothing for every setting, in numpy alone. It takes some 30 ms."""

from __future__ import annotations

import math
from typing import Any, Mapping

import numpy as np

_EPOCHS = 12
_BATCH = 32
_CLASSES = 3


def _spirals(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Three arms that wind around each other, with noise."""
    random = np.random.RandomState(seed)
    label = np.arange(count) % _CLASSES
    along = random.uniform(0.15, 1.0, count)
    angle = 2 * math.pi * (along * 0.9 + label / _CLASSES) + random.normal(0, 0.4, count)
    points = along[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1) * 2
    return points, label


_TRAIN = _spirals(384, seed=1)
_VALIDATION = _spirals(600, seed=2)


def validation_loss(setting: Mapping[str, Any]) -> list[float]:
    """Cross-entropy on data that the training has not seen; not a number if it diverged."""
    return [_train(setting)[0]]


def loss_and_size(setting: Mapping[str, Any]) -> list[float]:
    """The loss, and the number of weights in powers of ten."""
    loss, weights = _train(setting)
    return [loss, math.log10(weights)]


def _train(setting: Mapping[str, Any]) -> tuple[float, int]:
    random = np.random.RandomState(7)
    sizes = [2, *[setting["width"]] * setting["depth"], _CLASSES]
    weights = [random.normal(0, math.sqrt(2 / a), (a, b)) for a, b in zip(sizes, sizes[1:])]
    biases = [np.zeros(b) for b in sizes[1:]]
    parameters = [*weights, *biases]
    step = _optimizer(setting, parameters)
    inputs, labels = _TRAIN
    with np.errstate(all="ignore"):
        for _ in range(_EPOCHS):
            order = random.permutation(len(inputs))
            for start in range(0, len(inputs), _BATCH):
                batch = order[start : start + _BATCH]
                step(_gradients(setting, weights, biases, inputs[batch], labels[batch]))
        points, truth = _VALIDATION
        scores = _forward(setting, weights, biases, points)[-1]
        loss = _cross_entropy(scores, truth)
    return loss, sum(parameter.size for parameter in parameters)


def _forward(
    setting: Mapping[str, Any], weights: list[np.ndarray], biases: list[np.ndarray], inputs: np.ndarray
) -> list[np.ndarray]:
    """What every layer gives, the inputs first."""
    layers = [inputs]
    for index, (weight, bias) in enumerate(zip(weights, biases)):
        summed = layers[-1] @ weight + bias
        if index < len(weights) - 1:
            summed = np.tanh(summed) if setting["activation"] == "tanh" else np.maximum(summed, 0)
        layers.append(summed)
    return layers


def _gradients(
    setting: Mapping[str, Any],
    weights: list[np.ndarray],
    biases: list[np.ndarray],
    inputs: np.ndarray,
    labels: np.ndarray,
) -> list[np.ndarray]:
    layers = _forward(setting, weights, biases, inputs)
    error = _softmax(layers[-1])
    error[np.arange(len(labels)), labels] -= 1
    error /= len(labels)
    by_weight: list[np.ndarray] = []
    by_bias: list[np.ndarray] = []
    for index in reversed(range(len(weights))):
        by_weight.insert(0, layers[index].T @ error + setting["decay"] * weights[index])
        by_bias.insert(0, error.sum(axis=0))
        error = error @ weights[index].T
        error *= 1 - layers[index] ** 2 if setting["activation"] == "tanh" else layers[index] > 0
    return [*by_weight, *by_bias]


def _optimizer(setting: Mapping[str, Any], parameters: list[np.ndarray]) -> Any:
    rate = setting["lr"]
    optimizer = setting["optimizer"]
    first = [np.zeros_like(parameter) for parameter in parameters]
    second = [np.zeros_like(parameter) for parameter in parameters]
    count = 0

    def sgd(gradients: list[np.ndarray]) -> None:
        for parameter, gradient, speed in zip(parameters, gradients, first):
            speed *= optimizer["momentum"]
            speed -= rate * gradient
            parameter += speed

    def adam(gradients: list[np.ndarray]) -> None:
        nonlocal count
        count += 1
        for parameter, gradient, mean, square in zip(parameters, gradients, first, second):
            mean += 0.1 * (gradient - mean)
            square += optimizer["forget"] * (gradient**2 - square)
            unbiased = square / (1 - (1 - optimizer["forget"]) ** count)
            parameter -= rate * mean / (1 - 0.9**count) / (np.sqrt(unbiased) + 1e-8)

    return sgd if optimizer["name"] == "sgd" else adam


def _softmax(scores: np.ndarray) -> np.ndarray:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def _cross_entropy(scores: np.ndarray, labels: np.ndarray) -> float:
    likely = _softmax(scores)[np.arange(len(labels)), labels]
    return float(-np.log(np.maximum(likely, 1e-12)).mean())
