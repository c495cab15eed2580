"""Define the interface of bots."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from ludarium_engine.kernel.bodies import ChoiceBody, ViewBody


class Answer(NamedTuple):
    """A bot's answer: the id of an offer and, if the offer has a pool, the pieces chosen."""

    offer: str
    subset: tuple[int, ...] = ()


Bot = Callable[[int, ViewBody, ChoiceBody, Random], Answer]      # (seat, view, choice, random numbers) -> answer


class Ruleset(Protocol):
    """The cards and boards of a title, as published to bots."""

    @property
    def id(self) -> str: ...
    @property
    def cards(self) -> Sequence[Any]: ...
    @property
    def boards(self) -> Sequence[Any]: ...
