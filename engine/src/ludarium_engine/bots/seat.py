"""What a bot is."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from ludarium_engine.kernel.bodies import ChoiceBody, ViewBody


class Answer(NamedTuple):
    """An offer by its id, and a subset of its pool where it has one."""

    offer: str
    subset: tuple[int, ...] = ()


Bot = Callable[[int, ViewBody, ChoiceBody, Random], Answer]      # seat, its view, its choice, the bot's own luck


class Ruleset(Protocol):
    """What is published of a title with its data: of a card its id and facts, of a board its spaces."""

    @property
    def id(self) -> str: ...
    @property
    def cards(self) -> Sequence[Any]: ...
    @property
    def boards(self) -> Sequence[Any]: ...
