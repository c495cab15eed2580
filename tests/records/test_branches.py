"""Branches start at another game's position, and verify like any other game."""
from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

from ludarium.platform.problems import Problem
from ludarium.records.present_rules import compare
from ludarium.records.reading import read_record
from ludarium.records.record import record_of
from ludarium.records.verify import verify
from ludarium.tables import snapshots
from ludarium.tables.model import branching, event_types
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.events import Acted, BranchStarted
from ludarium.tables.model.folding import empty_table, fold
from ludarium.tables.model.lifecycle_events import LatestPoliciesSet, policies_event
from ludarium.tables.schemas import PoliciesBody, policies_of
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.registry import titles
from ludarium_engine.testkit.fuzz import cases
from tests.records import stranger
from tests.records.test_browser import Browser, browser
from tests.support.pure_games import Game, player

__all__ = ["browser"]
TRY_OUT = policies_event(policies_of(PoliciesBody(branches=True)))


def running(ruleset: str, most: int = 30) -> Game:
    """Return a running game whose policies allow branches."""
    seats = max(case.seats for case in cases(titles()[ruleset]) if not case.raw or case.raw == titles()[ruleset].variants[0])
    return Game(f"running {ruleset}", ruleset, seats, more=[TRY_OUT]).start().play(most)


def branched(game: Game, at: int, seat: int | None = None, luck: int = 1, bot: str = "simple") -> Game:
    """Branch off from a game at an event, as the player in seat 1."""
    maker = player(game.name, 1)
    seat = branching.seat_for(game.history, maker, at, seat)
    then = fold(game.stream, game.rows, upto=at)
    wanted, more = branching.branch(game.history, then, game.rows[: at + 1], maker, seat, bot, Random(luck))
    return Game(f"branch {luck}", wanted.ruleset, wanted.seats, wanted.options, more, seated=False)


def record(game: Game, audience: int = SPECTATOR) -> bytes:
    return msgspec.json.encode(record_of(game.history, game.rows, audience))


@pytest.mark.parametrize("ruleset", sorted(titles()))
def test_a_branch_of_a_running_game_is_what_its_seat_sees(ruleset: str) -> None:
    game = running(ruleset, 8)
    branch, layout = branched(game, game.history.version), game.history.title.layout
    one, other = game.history.playing, branch.history.playing
    for f in layout.fields:
        assert getattr(layout.view(one, 1), f.name) == getattr(layout.view(other, 1), f.name), f.name
    assert other.turn == one.turn and not other.drawn and other.agenda[-1].script == one.agenda[-1].script
    begun = next(entry for entry in branch.rows if isinstance(entry.event, BranchStarted))
    assert len(begun.data) < 256 * 1024
    seen = begun.event.seen(layout, 1)
    assert isinstance(seen, BranchStarted) and (seen.table, seen.viewer) == (game.stream.bytes, 1)
    assert branch.play(40).history.version > begun.version


@pytest.mark.parametrize("ruleset", sorted({*titles()} - {"kemet"}))            # except for Kemet, whose games are long
def test_a_finished_game_goes_on_as_it_was_and_everybody_verifies_it(ruleset: str, browser: Browser) -> None:
    game = running(ruleset, 5000)
    at = next(entry.version for entry in game.rows if isinstance(entry.event, Acted)) + 5
    branch = branched(game, at, seat=0)
    then = fold(game.stream, game.rows, upto=at).playing
    now = branch.history.playing
    assert all(getattr(then, f.name) == getattr(now, f.name) for f in game.history.title.layout.fields)
    branch.play()
    branch.again()
    assert branch.history.is_open_to_all
    report = verify(read_record(record(branch)))
    assert report.finding is None and report.rerun > 0 and report.roots == len(branch.rows)
    assert stranger.examine(record(branch))[0] == len(branch.rows)
    assert browser.verdicts([record(branch)]) == ["holds"]
    assert compare(branch.stream, branch.rows).verdict == "same"


def test_a_branch_that_runs_shows_its_seat_what_it_sees_and_no_more() -> None:
    game = running("game-of-kingdoms", 6)
    branch = branched(game, game.history.version).play(3)
    for audience in (SPECTATOR, 0, 1, 2):
        assert verify(read_record(record(branch, audience))).finding is None
        begun = next(row for row in json.loads(record(branch, audience))["rows"] if row["type"] == 4)
        assert begun["schema"] == 3 and begun["event"]["data"]["branch"]["viewer"] == 1
        moved = [fact["cards"] for fact in begun["event"]["data"]["facts"] if fact["type"] == "moved"]
        assert any(set(cards) == {-1} for cards in moved)


def test_a_branch_is_resumed_from_a_snapshot() -> None:
    branch = branched(running("kemet", 20), 20).play(10)
    data = snapshots.packed(branch.history)
    begun = empty_table(branch.stream, branch.rows)
    resumed = snapshots.resume(begun, data, branch.rows[branch.history.version :])
    assert resumed is not None and resumed.playing == branch.history.playing


def test_an_earlier_release_leaves_a_branch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The earlier release stops before the event, whose schema it does not know."""
    branch = branched(running("kemet", 20), 20)
    stored = [entry for entry in branch.rows]
    monkeypatch.delitem(event_types.DECODERS, (4, 3))
    again = [msgspec.structs.replace(entry, event=event_types.decode(entry.type, entry.schema, entry.data)) for entry in stored]
    start = next(entry for entry in again if entry.type == 4)
    assert isinstance(start.event, UnreadEvent) and start.event.why == "its type or schema is not known here"
    table = fold(branch.stream, again)
    assert table.newer == start.version and table.state is None


@pytest.mark.parametrize(
    ("at", "seat", "who", "code"),
    [
        (9, 0, 1, "forbidden"), (9, None, 7, "forbidden"), (9999, None, 1, "future-sequence"), (9, 15, 1, "no-such-seat"),
    ],
)  # fmt: skip
def test_nobody_goes_on_from_what_is_not_theirs(at: int, seat: int | None, who: int, code: str) -> None:
    game = running("game-of-kingdoms", 9)
    with pytest.raises(Problem) as refused:
        branching.seat_for(game.history, player(game.name, who), at, seat)
    assert refused.value.code == code


def test_nobody_plays_with_a_bot_that_is_not_there() -> None:
    with pytest.raises(Problem) as refused:
        branched(running("game-of-kingdoms", 9), 9, bot="stranger")
    assert refused.value.code == "unknown-bot"


@pytest.mark.parametrize("policies", [PoliciesBody(), PoliciesBody(branches=True, rated=True)])
def test_a_running_game_is_not_gone_on_from_where_its_policies_do_not_say_so(policies: PoliciesBody) -> None:
    game = Game("strict", "game-of-kingdoms", 2, more=[policies_event(policies_of(policies))]).start().play(3)
    with pytest.raises(Problem) as refused:
        branching.seat_for(game.history, player(game.name, 1), 4, None)
    assert refused.value.code == "no-branch"


def test_there_is_nothing_to_go_on_from_before_and_after_the_game() -> None:
    game = running("game-of-kingdoms", 5000)
    for at, code in ((1, "game-not-started"), (game.history.version, "game-over")):
        with pytest.raises(Problem) as refused:
            branched(game, at)
        assert refused.value.code == code


def test_policies_are_stored_in_the_earliest_words() -> None:
    assert isinstance(TRY_OUT, LatestPoliciesSet)
    assert not isinstance(policies_event(policies_of(PoliciesBody(order="random"))), LatestPoliciesSet)
