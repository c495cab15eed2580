"""Analysis of games reveals nothing that the viewer may not know.

Finished games lead to their actual positions, and running games only to what the seat may know.
"""
from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from ludarium.platform.problems import Problem
from ludarium.projections.replays import sent_action
from ludarium.sharing.analysis.analyses import AnalysisQuery, TriedGame, starting_point
from ludarium.sharing.analysis.schemas import NewAnalysis, TriedMove, TriedPosition
from ludarium.tables.model import budget
from ludarium.tables.model.events import Acted, GameStarted
from ludarium.tables.model.folding import fold
from ludarium.tables.schemas import ActionBody
from ludarium_engine.kernel.describe import describe_view
from ludarium_engine.registry import titles
from tests.records.test_branches import running
from tests.support.pure_games import Game


def tried(game: Game, at: int, known: bool, deal: int = 0) -> TriedGame:
    """Return the analysis by the player in seat 1."""
    then = fold(game.stream, game.rows, upto=at)
    return starting_point(then, game.rows[: at + 1], AnalysisQuery(game.stream, 1, known, wanted(game, at, deal=deal)))


def wanted(
    game: Game, at: int, moves: Sequence[TriedMove] = (), since: int = 0, deal: int = 0, eyes: int | None = 1
) -> NewAnalysis:
    return NewAnalysis(game.history.id, at, [*moves], eyes=eyes, since=since, deal=deal)


def start_of(game: Game) -> int:
    return next(entry.version for entry in game.rows if isinstance(entry.event, GameStarted))


def made_in(game: Game) -> list[TriedMove]:
    """Return the moves of all seats, in the form in which clients sent them."""
    title = game.history.title
    return [TriedMove(row.seat, sent_action(title, row.action)) for entry in game.rows if isinstance(row := entry.event, Acted)]


def answers(position: TriedPosition) -> TriedMove:
    """Return a move by the first offer, with as few cards as the offer needs."""
    choice = position.choices[0]
    offer = choice.offers[0]
    subset = offer.subset.pool[: offer.subset.least] if offer.subset else []
    return TriedMove(choice.seat, ActionBody(offer.id, [*subset]))


@pytest.mark.parametrize("ruleset", sorted(titles()))
def test_a_games_own_moves_lead_to_its_own_positions(ruleset: str) -> None:
    game = running(ruleset, 25)
    at, layout = start_of(game), game.history.title.layout
    moves = made_in(game)
    positions = [*tried(game, at, False).positions(wanted(game, at, moves))]
    assert [position.moves for position in positions] == [*range(len(moves) + 1)] and len(moves) == 25
    for version, position in enumerate(positions, at):
        then = fold(game.stream, game.rows, upto=version)
        assert position.view == describe_view(then.title, then.playing, 1, layout), version


@pytest.mark.parametrize("ruleset", sorted(titles()))
def test_of_a_running_game_one_begins_at_what_the_seat_sees_and_goes_on(ruleset: str) -> None:
    game = running(ruleset, 8)
    at = game.history.version
    first = tried(game, at, True)
    (position,) = first.positions(wanted(game, at))
    assert position.view.zones == describe_view(game.history.title, game.history.playing, 1).zones
    moves: list[TriedMove] = []
    for _ in range(12):
        *_, position = first.positions(wanted(game, at, moves, since=len(moves)))
        if not position.choices:
            break
        moves.append(answers(position))
    assert len(moves) > 5 or position.view.outcome is not None


def test_a_deal_has_a_number() -> None:
    game = running("game-of-kingdoms", 4)
    at = game.history.version
    deals = [tried(game, at, True, deal=deal).start for deal in (0, 0, 1, 2, 3)]
    assert deals[0] == deals[1] and any(deal != deals[0] for deal in deals[2:])
    assert tried(game, at, True).start != game.history.playing


def test_one_looks_from_the_seat_that_is_asked() -> None:
    game = running("game-of-kingdoms", 6)
    positions = [*tried(game, start_of(game), False).positions(wanted(game, start_of(game), made_in(game), eyes=None))]
    for position in positions:
        asked = [choice.seat for choice in position.choices]
        assert position.eyes == (1 if 1 in asked else asked[0])
    assert len({position.eyes for position in positions}) > 1


def test_the_same_number_deals_otherwise_to_who_has_another_seed() -> None:
    """Otherwise the positions of dealt cards would reveal what was there before."""
    one, other = (Game(name, "game-of-kingdoms", 2).start() for name in ("one", "other"))
    at, luck = one.history.version, [tried(game, game.history.version, True).chance.seed for game in (one, other)]
    assert at == other.history.version and luck[0] != luck[1]


def test_only_what_is_wanted_is_told() -> None:
    game = running("game-of-kingdoms", 6)
    at = start_of(game)
    moves = made_in(game)
    whole = [*tried(game, at, False).positions(wanted(game, at, moves))]
    assert [*tried(game, at, False).positions(wanted(game, at, moves, since=4))] == whole[4:]
    assert [*tried(game, at, False).positions(wanted(game, at, moves, since=99))] == whole[-1:]


def test_what_others_do_is_told_as_the_seat_that_looks_would_see_it() -> None:
    game = running("game-of-kingdoms", 6)
    at = start_of(game)
    told = [[*tried(game, at, False).positions(wanted(game, at, made_in(game), eyes=eyes))] for eyes in (0, 1)]
    assert told[0] != told[1] and all(position.facts for position in told[0][1:])


@pytest.mark.parametrize(
    ("moves", "code", "pointer"),
    [
        ([TriedMove(0, ActionBody("nonsense")), TriedMove(1, ActionBody("nonsense"))], None, "/moves/0"),
        ([TriedMove(15, ActionBody("pass"))], "not-asked", "/moves/0"),
    ],
)
def test_the_move_that_cannot_be_made_is_named(moves: list[TriedMove], code: str | None, pointer: str) -> None:
    game = running("game-of-kingdoms", 3)
    at = game.history.version
    with pytest.raises(Problem) as refused:
        [*tried(game, at, False).positions(wanted(game, at, moves))]
    assert refused.value.code in ([code] if code else ["not-asked", "action-not-offered"])
    assert [error.pointer for error in refused.value.errors] == [pointer]


def test_behind_the_end_nothing_is_done() -> None:
    game = running("game-of-kingdoms", 5000)
    last = max(entry.version for entry in game.rows if isinstance(entry.event, Acted))
    moves = made_in(game)[-1:]
    with pytest.raises(Problem) as refused:
        [*tried(game, last - 1, False).positions(wanted(game, last - 1, [*moves, *moves]))]
    assert (refused.value.code, refused.value.errors[0].pointer) == ("game-over", "/moves/1")
    for at, code in ((1, "game-not-started"), (game.history.version, "game-over")):
        with pytest.raises(Problem) as refused:
            tried(game, at, False)
        assert refused.value.code == code


def test_a_move_that_says_too_much_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running("game-of-kingdoms", 6)
    monkeypatch.setattr(budget, "MOST_FACTS", 0)
    with pytest.raises(budget.Runaway):
        [*tried(game, start_of(game), False).positions(wanted(game, start_of(game), made_in(game)))]


def test_bodies_are_bounded() -> None:
    for body in (b'{"table":"%s","at":1,"moves":[%s]}' % (b"0" * 26, b",".join([b'{"seat":0,"action":{"id":"a"}}'] * 201)),
                 b'{"table":"%s","at":1,"deal":10000}' % (b"0" * 26), b'{"table":"x","at":1}'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(body, type=NewAnalysis)
