"""Computes a bot's answer in a worker process, from the game's encoded state.

The bot is shown only the view of its seat.
"""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import msgspec

from ludarium_engine import registry
from ludarium_engine.bots import bots
from ludarium_engine.kernel import State
from ludarium_engine.kernel.bodies import DEFAULT
from ludarium_engine.kernel.decoding import msgpack_decoder
from ludarium_engine.kernel.describe import describe_choice, describe_view

RNG_BYTES = 32
"""Bytes in the random seed for one move."""
encode = msgspec.msgpack.Encoder().encode


class BotQuestion(NamedTuple):
    """A question to a bot.

    Attributes:
        data: hash of the title's data.
        state: the game's state as msgpack.
        rng_seed: seed of the bot's random choices.
    """

    ruleset: str
    data: bytes
    bot: str
    seat: int
    state: bytes
    rng_seed: bytes


class UnknownData(Exception):
    """The process lacks the title's data. Pass the data and ask again."""


def bot_question(title: registry.AnyTitle, bot: str, seat: int, state: State, rng_seed: bytes) -> BotQuestion:
    return BotQuestion(title.id, title.data_hash, bot, seat, encode(state), rng_seed)


def answer(asked: BotQuestion, data: bytes | None = None) -> tuple[str, Sequence[int]]:
    """Return the id of the offer that the bot chooses, and the chosen subset.

    Raises:
        UnknownData: the process lacks the title's data and `data` is None.
        LookupError: the seat does not have to act.
    """
    title = title_with(asked, data)
    state = msgpack_decoder(title.state)(asked.state)
    choice = describe_choice(title, state, asked.seat)
    if choice is None:
        raise LookupError(f"seat {asked.seat} is asked nothing")
    view = describe_view(title, state, asked.seat)
    if asked.bot == DEFAULT:
        return title.default_answer(view, choice)
    return bots(title)[asked.bot](asked.seat, view, choice, Random(asked.rng_seed))


def title_with(asked: BotQuestion, data: bytes | None) -> registry.AnyTitle:
    if not registry.provided(asked.ruleset, asked.data):
        if data is None:
            raise UnknownData(asked.ruleset)
        registry.provide(asked.ruleset, data)
    return registry.title_of(asked.ruleset, asked.data)
