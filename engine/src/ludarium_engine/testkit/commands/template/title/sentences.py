"""What the story says, and of what: the texts have each as `said.<id>`. Sentences are only ever appended."""
from __future__ import annotations

from ludarium_engine.kernel.choices import CARDS, SEAT

SENTENCES = {"is_dealt": (SEAT, CARDS), "plays": (SEAT, CARDS)}
