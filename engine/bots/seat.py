"""What a bot is."""
from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from engine.kernel.bodies import ChoiceBody, ViewBody


class Answer(NamedTuple):
    """An offer by its id, and a subset of its pool where it has one."""

    offer: str
    subset: tuple[int, ...] = ()


Bot = Callable[[int, ViewBody, ChoiceBody, Random], Answer]      # seat, its view, its choice, the bot's own luck
