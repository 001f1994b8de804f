"""Crises that never happened, in places that do not exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Tuple


@dataclass(frozen=True)
class Event:
    scene: str
    """How its damage looks."""
    hashtags: Tuple[str, ...]
    places: Tuple[str, ...]
    harm: Tuple[str, ...]
    """What it has done to houses and roads."""


EVENTS: Tuple[Event, ...] = (
    Event(
        "flood",
        ("#VeldenFlood", "#velden", "#flood2031"),
        ("Velden", "Osterbruck", "the lower town", "Mill Street", "Harrow Bridge"),
        ("under water", "flooded", "cut off by water", "washed away", "submerged"),
    ),
    Event(
        "fire",
        ("#PinecrestFire", "#pinecrest", "#wildfire"),
        ("Pinecrest", "Tallow Ridge", "Cedar Valley", "Route 9", "the north canyon"),
        ("on fire", "burned down", "destroyed by the fire", "in flames", "full of smoke"),
    ),
    Event(
        "rubble",
        ("#ArranoQuake", "#arrano", "#earthquake"),
        ("Arrano", "San Tiero", "the old quarter", "Via Lunga", "Monte Sella"),
        ("collapsed", "in ruins", "reduced to rubble", "badly cracked", "destroyed by the quake"),
    ),
    Event(
        "storm",
        ("#CycloneMara", "#mara", "#hurricane"),
        ("Port Lavan", "Kesh Island", "Harbour Road", "the east coast", "Bay District"),
        ("without power", "blocked by trees", "torn apart", "without a roof", "damaged by the storm"),
    ),
)
