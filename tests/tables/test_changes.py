"""Clients that fold changes have the same view as clients that get whole views."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludarium.live import messages as messages_of_sockets
from ludarium.platform.view_channel import look
from ludarium.tables.appends import chain_events, json, new_commit, push_messages
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.lifecycle_events import Returned, StoodIn
from ludarium_client import bodies
from ludarium_client.folding import Astray, folded
from ludarium_engine.registry import titles
from tests.live.full import OPTIONS, largest
from tests.support import node
from tests.support.pure_games import Game

MOVES = 70
PROJECT = Path(__file__).parents[2]
decode = msgspec.json.Decoder(bodies.TableEvent).decode


class Told(Game):
    """A game that records its newest messages.

    For each audience, `last` has the message with the view and the message with changes.
    """

    def __init__(self, name: str, ruleset: str, seats: int, options: dict[str, Any] | None = None) -> None:
        self.last: dict[int, tuple[bytes, bytes]] = {}
        super().__init__(name, ruleset, seats, options)
        self.start()

    def append(self, rows: Sequence[AnyEvent]) -> None:
        made = chain_events(self.history, rows, self.moment)
        super().append(rows)
        audiences = self.history.audiences
        commit = new_commit(self.history, made, audiences)
        told = push_messages(commit, len(made) - 1, [look(a, changes=changes) for a in audiences for changes in (False, True)])
        self.last = {a: (told[a], told[look(a, changes=True)]) for a in audiences}


class Reader:
    """A client of one audience that folds changes."""

    def __init__(self) -> None:
        self.view: Any = None
        self.folded = 0
        self.told: list[tuple[msgspec.Raw, msgspec.Raw]] = []

    def hear(self, full: bytes, changes: bytes) -> None:
        self.told.append((msgspec.Raw(full), msgspec.Raw(changes)))
        wanted, event = decode(full), decode(changes)
        if event.data.change:
            assert len(changes) < len(full)
            self.view, self.folded = folded(self.view, event), self.folded + 1
        else:
            assert changes == full
            self.view = event.data.view
        assert self.view == wanted.data.view


def play(game: Told, readers: dict[int, Reader], moves: int) -> None:
    for _ in range(moves):
        if game.history.ended:
            break
        game.answer()
        tell(game, readers)


def tell(game: Told, readers: dict[int, Reader]) -> None:
    for audience, reader in readers.items():
        reader.hear(*game.last[audience])


@pytest.fixture(scope="module")
def games() -> dict[str, list[Reader]]:
    """Return the readers that followed one game of each title by changes."""
    return {ruleset: followed(ruleset) for ruleset in titles()}


def followed(ruleset: str) -> list[Reader]:
    game = Told("changes", ruleset, largest(ruleset).seats, OPTIONS.get(ruleset))
    readers = {audience: Reader() for audience in game.history.audiences}
    tell(game, readers)
    play(game, readers, MOVES)
    return [*readers.values()]


def test_every_audience_folds_what_has_changed(games: dict[str, list[Reader]]) -> None:
    assert all(reader.folded > 10 for readers in games.values() for reader in readers)


def test_the_browsers_code_folds_the_same(games: dict[str, list[Reader]], tmp_path: Path) -> None:
    everybody = [reader for readers in games.values() for reader in readers]
    path = tmp_path / "told.json"
    path.write_bytes(json([reader.told for reader in everybody]))
    assert int(node.output(Path(__file__).with_name("changes.mjs"), path)) == sum(reader.folded for reader in everybody)


def test_what_nobody_could_fold_comes_as_a_view() -> None:
    game = Told("whole", "game-of-kingdoms", 3)
    readers = {audience: Reader() for audience in game.history.audiences}
    tell(game, readers)
    play(game, readers, 3)
    for work in (game.undo, lambda: game.append([StoodIn(1, "default")]), lambda: game.append([Returned(1)])):
        folds = [reader.folded for reader in readers.values()]
        work()
        tell(game, readers)
        assert [reader.folded for reader in readers.values()] == folds


def test_games_in_which_zones_are_veiled_come_as_views() -> None:
    options = {"edition": "base", "strict_discard_view": True}
    game = Told("veiled", "valley-of-the-kings", 3, options)
    readers = {audience: Reader() for audience in game.history.audiences}
    tell(game, readers)
    play(game, readers, 30)
    assert all(reader.folded == 0 for reader in readers.values())


def test_the_page_for_authors_shows_what_is_told(games: dict[str, list[Reader]]) -> None:
    _, _, after = (PROJECT / "docs/frontend.md").read_text().partition("### Changes instead of views")
    asked, told = re.findall(r"^[→←] (\{.*\})$", after.split("```")[1], re.MULTILINE)
    assert messages_of_sockets.parse(asked).view == "changes"  # type: ignore[union-attr]
    page = msgspec.json.decode(told.replace("…", ""))
    changes = [event["data"]["change"] for event in heard(games) if "change" in event["data"]]
    beside = {"sum", "proposal", "clocks"}                  # sent only sometimes
    assert {name for change in changes for name in change} - beside == page["data"]["change"].keys()
    assert page["data"].keys() - {"change"} <= {name for event in heard(games) for name in event["data"]}


def heard(games: dict[str, list[Reader]]) -> list[Any]:
    return [msgspec.json.decode(changes) for readers in games.values() for reader in readers for _, changes in reader.told]


def test_a_wrong_fold_shows_by_the_sum() -> None:
    game = Told("astray", "game-of-kingdoms", 3)
    reader = Reader()
    reader.hear(*game.last[0])
    while not (changes := decode(game.last[0][1]).data.change) or not changes.sum:
        game.answer()
        before = reader.view
        reader.hear(*game.last[0])
    wrong = {**before.view.zones, "deck": [*before.view.zones["deck"], -1]}
    view = msgspec.structs.replace(before, view=msgspec.structs.replace(before.view, zones=wrong))
    with pytest.raises(Astray):
        folded(view, decode(game.last[0][1]))


def test_what_stays_is_left_out_and_who_did_not_tell_the_view_before_tells_all() -> None:
    game = Told("left out", "game-of-kingdoms", 3)
    whole = {"asked", "agenda", "focus", "choice", "undo", "proposal", "clocks"}
    game.answer()
    game.answer()
    assert all("proposal" not in changes_of(told) for _, told in game.last.values())
    game.history.last_views.clear()                                   # as in a process that has just loaded the table
    game.answer()
    assert all(whole <= changes_of(told).keys() for _, told in game.last.values())


def changes_of(told: bytes) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(told)["data"]["change"]
    return found
