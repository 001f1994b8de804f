"""A trained model as one file: which network, how it was built, its weights, and what it was trained with."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Dict, Mapping

import torch
from torch import nn

from wf_ml.errors import DataError
from wf_ml.models.bilstm import BiLstm
from wf_ml.models.resnet import ResNet
from wf_ml.models.unet import UNet
from wf_ml.models.vgg import Vgg
from wf_ml.tensor_file import load_tensors, save_tensors

NETWORKS: Mapping[str, Callable[..., nn.Module]] = {"unet": UNet, "vgg": Vgg, "resnet": ResNet, "bilstm": BiLstm}


@dataclass(frozen=True)
class Saved:
    """`build` holds the arguments of the network; `about` whatever its users need: image size, classes, settings."""

    network: str
    build: Dict[str, Any]
    weights: Dict[str, torch.Tensor]
    about: Dict[str, Any] = field(default_factory=dict)

    def model(self) -> nn.Module:
        """The network with its weights, ready to predict."""
        model = NETWORKS[self.network](**self.build)
        model.load_state_dict(self.weights)
        return model.eval()


def save_model(path: Path, saved: Saved) -> None:
    save_tensors(path, vars(saved))


def load_model(path: Path) -> Saved:
    content = load_tensors(path, "a model")
    if not isinstance(content, dict) or set(content) != {"network", "build", "weights", "about"}:
        raise DataError("this is not a model of wf-ml", path)
    if content["network"] not in list(NETWORKS):
        raise DataError("this is a model of a network that wf-ml does not have", path)
    if not all(isinstance(content[name], dict) for name in ("build", "weights", "about")):
        raise DataError("this is not a model of wf-ml", path)
    return Saved(**content)
