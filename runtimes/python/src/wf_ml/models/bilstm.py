"""A bidirectional LSTM over tokens."""

from __future__ import annotations

import torch
from torch import nn

PADDING = 0


class BiLstm(nn.Module):
    """Tokens (batch x length, 0 is padding) to logits: the largest of each state over the words that are there."""

    def __init__(
        self, vocabulary: int, classes: int, embedding: int = 32, hidden: int = 32, dropout: float = 0.2
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding, padding_idx=PADDING)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(nn.Dropout(dropout), nn.Linear(2 * hidden, classes))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        lengths = (tokens != PADDING).sum(dim=1).clamp(min=1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.embedding(tokens), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, _ = nn.utils.rnn.pad_packed_sequence(
            self.lstm(packed)[0], batch_first=True, padding_value=float("-inf"), total_length=tokens.shape[1]
        )
        return self.head(states.max(dim=1).values)
