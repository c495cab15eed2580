"""The interface of bots."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from ludarium_engine.kernel.bodies import ChoiceBody, ViewBody


class Answer(NamedTuple):
    """A bot's answer: the id of an offer, and a subset of its pool if it has one."""

    offer: str
    subset: tuple[int, ...] = ()


Bot = Callable[[int, ViewBody, ChoiceBody, Random], Answer]      # (seat, view, choice, random numbers) -> answer


class Ruleset(Protocol):
    """The published parts of a title that bots use: cards and boards."""

    @property
    def id(self) -> str: ...
    @property
    def cards(self) -> Sequence[Any]: ...
    @property
    def boards(self) -> Sequence[Any]: ...
