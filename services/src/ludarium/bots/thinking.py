"""What a bot answers, in a process that does nothing else: it is given the game as bytes, and shows the bot its seat's view."""
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
"""Bytes from which a bot draws for one answer."""
encode = msgspec.msgpack.Encoder().encode


class BotQuestion(NamedTuple):
    """data: the hash of the title's data; state: msgpack; rng_seed: what the bot draws from."""

    ruleset: str
    data: bytes
    bot: str
    seat: int
    state: bytes
    rng_seed: bytes


class UnknownData(Exception):
    """This process has not met the title with these data: ask again and give them along."""


def bot_question(title: registry.AnyTitle, bot: str, seat: int, state: State, rng_seed: bytes) -> BotQuestion:
    return BotQuestion(title.id, title.data_hash, bot, seat, encode(state), rng_seed)


def answer(asked: BotQuestion, data: bytes | None = None) -> tuple[str, Sequence[int]]:
    """The offer's id and the chosen subset. Raises UnknownData, and LookupError if the seat is asked nothing."""
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
