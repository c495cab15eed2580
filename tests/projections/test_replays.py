"""Replays of all titles, folded by the web client, show what the server shows."""
from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from ludarium.platform.problems import Problem
from ludarium.projections.replay_worker import FoldingContext
from ludarium.projections.replays import ALL_HANDS, ReplayQuery, fold_with_clocks, make_replay
from ludarium.projections.schemas import Replay
from ludarium.tables.model import documents
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import LogEntry, decoded_entries
from ludarium.tables.model.table_state import TableState
from ludarium.tables.views import table_view
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.published import document_hash
from ludarium_eventstore import StoredEvent
from tests.support import node
from tests.support.kept_logs import read, stored

LOGS = (
    "game-of-kingdoms-undo", "game-of-kingdoms-ruthless-6", "kemet-long-4", "kemet-running", "valeria-5",
    "valley-of-the-kings-premium-true-true-4",
)  # fmt: skip
LOOKS = 10
"""Moments of a game that are compared with the server's view."""


class Log:
    """A stored log of an earlier release that can be folded."""

    def __init__(self, name: str) -> None:
        log = read(name)
        self.stored: list[StoredEvent] = [*stored(log)]
        self.rows: list[LogEntry] = decoded_entries(self.stored)
        self.table = UUID(bytes=log.stream)
        by_hash = {document_hash(document): document for document in log.documents}
        asyncio.run(documents.provide_for(Documents(by_hash), [entry.event for entry in self.rows]))
        self.whole: TableState = fold_with_clocks(self.table, self.rows)[0]

    def replay(self, audience: int, upto: int | None = None) -> bytes:
        table = self.whole if upto is None else fold(self.table, self.rows, upto=upto)
        asked = ReplayQuery(self.table, audience, table.version, table.hash)
        return gzip.decompress(make_replay(asked, self.stored, FoldingContext.by(self.whole, self.rows)))


class Documents:
    def __init__(self, by_hash: dict[bytes, bytes]) -> None:
        self.by_hash = by_hash

    async def __call__(self, hash_: bytes) -> bytes | None:
        return self.by_hash.get(hash_)


@pytest.mark.parametrize("name", LOGS)
def test_every_moment_is_what_the_server_shows(name: str, tmp_path: Path) -> None:
    log = Log(name)
    paths = [*written(log, tmp_path)]
    assert int(filmed(paths)) == sum(len(msgspec.json.decode(path.read_bytes())["views"]) for path in paths) > LOOKS


def written(log: Log, folder: Path) -> Iterator[Path]:
    """Write each audience's replay, together with the server's views at some moments.

    A replay that shows all hands is compared with the view of each seat.
    """
    first = msgspec.json.decode(log.replay(SPECTATOR), type=Replay).steps[0].seq
    last = log.whole.version
    looks = [fold(log.table, log.rows, upto=seq) for seq in {*range(first, last, max((last - first) // LOOKS, 1)), last}]
    for audience in log.whole.audiences:
        yield file(folder / f"{audience}.json", log, log.replay(audience), looks, audience)
    if log.whole.is_open_to_all:
        everything = log.replay(ALL_HANDS)
        for audience in log.whole.audiences:
            yield file(folder / f"all hands {audience}.json", log, everything, looks, audience)


def file(path: Path, log: Log, replay: bytes, looks: Sequence[TableState], audience: int) -> Path:
    views = {table.version: table_view(table, audience).view for table in looks}
    zones = [{"name": f.name, "sight": f.visibility, "kind": f.kind} for f in log.whole.title.layout.fields]
    path.write_bytes(msgspec.json.encode({"zones": zones, "replay": msgspec.Raw(replay), "views": views}))
    return path


def filmed(paths: Sequence[Path]) -> str:
    """Compare replays with views, and return how many moments were compared, as text.

    Raises:
        AssertionError: A moment differs.
    """
    return node.output(Path(__file__).with_name("filmed.mjs"), *paths)


def test_a_seat_is_shown_what_it_had_to_choose_from_and_what_it_chose() -> None:
    log = Log("kemet-running")
    replay = msgspec.json.decode(log.replay(1), type=Replay)
    answers = [entry for entry in log.rows if getattr(entry.event, "seat", None) == 1 and hasattr(entry.event, "action")]
    decisions = {step.seq: step.decision for step in replay.steps if step.decision}
    assert [*decisions] == [entry.version for entry in answers]
    for entry in answers:
        decision, row = decisions[entry.version], entry.event
        offer = next(offer for offer in decision.offers if offer.id == decision.action.id)
        assert (offer.verb, [*offer.args, *decision.action.subset]) == (row.action.verb, [*row.action.args])  # type: ignore[union-attr]
        choice = table_view(fold(log.table, log.rows, upto=entry.version - 1), 1).choice
        assert choice is not None and (choice.prompt, choice.offers) == (decision.prompt, decision.offers)


def test_of_a_running_game_it_tells_neither_points_nor_what_others_had_to_choose_from() -> None:
    log = Log("kemet-running")
    for audience in log.whole.audiences:
        steps = msgspec.json.decode(log.replay(audience), type=Replay).steps
        assert not any(step.points for step in steps)
        assert {step.decision.seat for step in steps if step.decision} <= {audience}


def test_when_the_game_is_over_it_has_the_points_behind_each_event() -> None:
    log = Log("valeria-5")
    replay = msgspec.json.decode(log.replay(SPECTATOR), type=Replay)
    told: list[Any] = [step.points for step in replay.steps if step.points]
    assert len(told) > 20 and told[-1] == [sum(parts.values()) for parts in replay.scores]


def test_up_to_a_row_it_says_nothing_of_what_came_later() -> None:
    log = Log("game-of-kingdoms-undo")
    whole = msgspec.json.decode(log.replay(0), type=Replay)
    for upto in range(whole.steps[0].seq, log.whole.version, 7):
        part = msgspec.json.decode(log.replay(0, upto), type=Replay)
        assert (part.seq, part.over, part.scores) == (upto, False, [])
        assert [(step.facts, step.story, step.to) for step in part.steps] == [
            (step.facts, step.story, step.to) for step in whole.steps[: len(part.steps)]
        ]


def test_a_log_that_does_not_fit_its_hashes_is_not_shown() -> None:
    log = Log("game-of-kingdoms-undo")
    log.stored[9] = msgspec.structs.replace(log.stored[9], data=log.stored[10].data)
    with pytest.raises(Problem, match="log-damaged"):
        log.replay(SPECTATOR)
