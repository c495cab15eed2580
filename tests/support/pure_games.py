"""Whole tables in memory, without a store.

Seeds and times are fixed, so every run gives the same rows and hash chain.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from random import Random
from typing import Any
from uuid import UUID

from ludarium.platform import ids
from ludarium.tables.appends import chain_events
from ludarium.tables.model import decisions, seating
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import Deal, Seated, TableOpened, Undone
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import EPOCH, LogEntry, StreamSecret, commitment
from ludarium.tables.model.opening import option_data
from ludarium.tables.model.table_state import TableState
from ludarium.tables.schemas import ActionBody
from ludarium_engine.bots import bots
from ludarium_engine.kernel import checked_options, seats_to_act
from ludarium_engine.kernel.describe import describe_choice, describe_view
from ludarium_engine.registry import titles

START = EPOCH + timedelta(days=20_454)          # 2026-01-01


def seed_of(name: str, what: str) -> bytes:
    return blake2b(f"{name}/{what}".encode(), digest_size=32).digest()


class Game:
    """A table with its rows so far, and methods that act at the table."""

    def __init__(
        self, name: str, ruleset: str, seats: int, options: dict[str, Any] | None = None, more: Sequence[AnyEvent] = (),
        bot: str | None = None, seated: bool = True,
    ) -> None:  # fmt: skip
        """Open a table.

        Args:
            more: Events that follow the opening in the same append.
            bot: The bot in all seats. By default, the seats have players, who answer at random.
            seated: Whether the seats are taken right after the opening.
        """
        self.name, self.bot = name, bot
        title = titles()[ruleset]
        self.luck = Random(name)
        secret = StreamSecret(seed_of(name, "seed"), seed_of(name, "deal"))
        creator, stream = player(name, 0), ids.made(int(START.timestamp()) * 1000, 7, int.from_bytes(seed_of(name, "id")[:8]))
        chosen = option_data(checked_options(title, options or {}, seats))
        opened = TableOpened(
            ruleset, chosen, seats, "public", "free", creator, commitment(secret.seed), Deal(commitment(secret.deal))
        )
        self.history = TableState(stream, opened, secret)
        self.rows: list[LogEntry] = []
        self.append([opened, *more])
        for seat in range(seats if seated else 0):
            nonce = seed_of(name, f"nonce {seat}")[: 8 * seat]
            self.append([Seated(seat, None, bot, b"") if bot else Seated(seat, player(name, seat), None, nonce)])

    @property
    def stream(self) -> UUID:
        return self.history.stream

    @property
    def moment(self) -> datetime:
        """The time of the next rows."""
        return START + timedelta(seconds=len(self.rows))

    def append(self, rows: Sequence[AnyEvent]) -> None:
        made = chain_events(self.history, rows, self.moment)
        self.rows += [row.entry for row in made]
        if any(isinstance(row, Undone) for row in rows):
            return self.again()
        for row in made:
            self.history.add(row.entry)

    def again(self) -> None:
        """Fold the table from its rows again, as another process would."""
        self.history = fold(self.stream, self.rows)

    def start(self) -> Game:
        self.append(seating.start(self.history, self.history.opened.creator))
        return self

    def answer(self) -> None:
        """Answer a question of a random seat that has to act."""
        table, state = self.history, self.history.playing
        seat = self.luck.choice(seats_to_act(state))
        choice = describe_choice(table.title, state, seat)
        assert choice is not None
        answer, view = bots(table.title)[self.bot or "random"], describe_view(table.title, state, seat)
        offer, subset = answer(seat, view, choice, self.luck)
        self.append(decisions.act_for_seat(table, seat, ActionBody(offer, [*subset])))

    def play(self, most: int = 5000, until: Callable[[TableState], bool] = lambda table: table.ended is not None) -> Game:
        for _ in range(most):
            if until(self.history):
                break
            self.answer()
        return self

    def undo(self) -> Game:
        """Play until a move can be undone, and undo it."""
        self.play(until=lambda table: bool(table.undoable) or table.ended is not None)
        _, seat = self.history.undoable[-1]
        sat = self.history.seats[seat]
        assert sat is not None and sat.player is not None
        self.append(decisions.undo(self.history, sat.player))
        return self


def player(name: str, seat: int) -> str:
    return ids.encode(UUID(bytes=seed_of(name, f"player {seat}")[:16]))
